import type { Failure } from '@svc/core/errors';
import type { Isolation } from '../../isolation/index.ts';
import type { Limited } from '../../limits/index.ts';

export interface PythonTask {
  readonly isolation: Isolation;
  /** Interpreter of the project's environment. */
  readonly python: string;
  /** Folder with the module `svc` ({@link prepareSupport}). */
  readonly support: string;
  readonly projectDir: string;
  readonly asset: string;
  readonly kind: 'table' | 'artifact';
  readonly file: string;
  readonly function: string;
  readonly runId: string;
  readonly environment: string;
  /** Address of this service and the token the worker minted for this task. */
  readonly url: string;
  readonly token: string;
  /** Largest value of the watermark column so far, for an append asset, and that column's type. */
  readonly watermark?: Watermark | null;
  /** An empty folder for this task; the caller removes it after loading the result. */
  readonly workDir: string;
  /** The limits of memory, processes, open files and disk. */
  readonly limited: Pick<Limited, 'enforcement' | 'id' | 'periodMs' | 'onError'>;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onLine: (stream: 'stdout' | 'stderr', line: string) => void;
  /** Certificates, for a service behind a private authority. */
  readonly passThrough?: Readonly<Record<string, string>>;
  /** The trace that the task goes on with (W3C Trace Context). */
  readonly traceparent?: string | null;
}

export interface Watermark {
  readonly text: string;
  /** Null where the table has no such column any more. */
  readonly type: string | null;
}

export type PythonTaskResult =
  | {
      readonly status: 'succeeded';
      readonly kind: 'table';
      /** Absolute path of the rows. */
      readonly file: string;
      readonly format: 'parquet' | 'ndjson';
      readonly rows: number;
      /** Types by column for rows written as NDJSON; null where the file itself tells. */
      readonly columns: readonly { readonly name: string; readonly type: string }[] | null;
    }
  | {
      readonly status: 'succeeded';
      readonly kind: 'artifact';
      readonly file: string;
      /** Name the function gave the file: a plain name without folders. */
      readonly name: string;
      readonly bytes: number;
    }
  | {
      readonly status: 'failed' | 'cancelled';
      readonly failure: Failure;
    };
