// What the service and another engine's server have in common as processes of the tests.
import { once } from 'node:events';

/** Waits until `ready` says so, asked every `everyMs`. @throws once the process has ended, named as `name` */
export async function untilReady(child, { name, ready, everyMs }) {
  while (!(await ready())) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Asks the process to stop and waits for its end. */
export async function stopProcess(child) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
