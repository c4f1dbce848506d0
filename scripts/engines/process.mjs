// What the service and another engine's server have in common as processes of the tests.
import { once } from 'node:events';

/** Waits until `ready` returns true, polling every `everyMs`. @throws when the process called `name` exits */
export async function untilReady(child, { name, ready, everyMs }) {
  while (!(await ready())) {
    if (child.exitCode !== null) throw new Error(`${name} exited with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Stops the process and waits until it has exited. */
export async function stopProcess(child, signal = 'SIGTERM') {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
