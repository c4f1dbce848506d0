import type { Isolation } from '../isolation/index.ts';
import type { Limited } from '../limits/index.ts';
import type { GuardProxy, GuardSocket, TaskNetwork } from '../outgoing/index.ts';

/** What is built once for all Python tasks of a version. */
export interface PreparedPython {
  /** Interpreter of the project's Python environment. */
  readonly python: string;
  /** Folder with the module `svc` ({@link prepareSupport}). */
  readonly support: string;
  readonly projectDir: string;
}

/** What an interpreter needs to start, before it is known which task it runs. */
export interface InterpreterOptions extends PreparedPython {
  readonly isolation: Isolation;
  /** An empty folder for its task. The caller removes it after loading the result. */
  readonly workDir: string;
  /** The limits of memory, processes, open files and disk. */
  readonly limited: Pick<Limited, 'enforcement' | 'id' | 'periodMs' | 'onError'>;
  /** What its task can connect to; null: everything that the worker reaches. */
  readonly network: (TaskNetwork & { readonly hosts: readonly string[] }) | null;
  /** Certificate variables, for a service behind a private certificate authority. */
  readonly inheritedEnv?: Readonly<Record<string, string>>;
}

/** What connects a task with the hosts that it may reach. */
export type TaskProxy = GuardProxy | GuardSocket;
