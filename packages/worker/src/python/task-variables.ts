import { dirname } from 'node:path';
import type { ServiceRelay } from '../outgoing/index.ts';
import type { InterpreterOptions, TaskProxy } from './interpreter-options.ts';
import type { PythonTask } from './python-task.ts';
import { scratchOf } from './task-folders.ts';

/** The address of the task's proxy, which is also the service's: a port of its sandbox, or, without one of its own, of the machine. */
const originOf = (service: ServiceRelay, proxy: TaskProxy | null): string =>
  proxy === null || 'socket' in proxy ? `http://127.0.0.1:${service.port}` : proxy.url;

/** Removes name and password from the operator's proxy, which tasks must not learn. An address that isn't a URL is left out. */
export function withoutPassword({
  HTTPS_PROXY: proxy,
  ...others
}: Readonly<Record<string, string>>): Record<string, string> {
  const text = proxy === undefined || proxy.includes('://') ? proxy : `http://${proxy}`;
  if (text === undefined || !URL.canParse(text)) return others;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return { ...others, HTTPS_PROXY: url.href };
}

/** With a network of its own, a task gets its proxy instead of the operator's. */
function proxyVariables(
  { network, inheritedEnv = {} }: InterpreterOptions,
  task: TaskProxy | null,
): Record<string, string> {
  if (network === null) return withoutPassword(inheritedEnv);
  const { HTTPS_PROXY: _, NO_PROXY: __, ...certificates } = inheritedEnv;
  const url = originOf(network.service, task);
  const proxy = { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: '127.0.0.1,localhost' };
  // Some programs read only one spelling.
  const lower = Object.entries(proxy).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...certificates, ...proxy, ...Object.fromEntries(lower) };
}

/** The environment variables that the interpreter starts with. */
export function startVariables(options: InterpreterOptions, proxy: TaskProxy | null): Record<string, string> {
  const { python, workDir } = options;
  const bin = dirname(python);
  const scratch = scratchOf({ workDir });
  return {
    ...proxyVariables(options, proxy),
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    VIRTUAL_ENV: dirname(bin),
    HOME: scratch,
    TMPDIR: scratch,
    LANG: 'C.UTF-8',
  };
}

/** The environment variables that the interpreter sets when it gets the task. */
export const taskVariables = (
  task: PythonTask,
  { network }: InterpreterOptions,
  proxy: TaskProxy | null,
): Record<string, string> => ({
  SVC_URL: network === null ? task.url : `${originOf(network.service, proxy)}${network.service.path}`,
  // The operator chose the address of the service; between containers it is often http with a service name.
  ...(network === null && needsInsecure(task.url) ? { SVC_ALLOW_INSECURE: 'true' } : {}),
  SVC_TOKEN: task.token,
  SVC_ENV: task.environment,
  ...(task.traceparent == null ? {} : { TRACEPARENT: task.traceparent }),
});

function needsInsecure(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
