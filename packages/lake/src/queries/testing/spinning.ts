/** A process whose main thread never returns to its event loop; with an argument, the parent of one. Prints the pid. */
import { fork } from 'node:child_process';
import { exitWithParent } from '../sandbox/exit-with-parent.ts';

if (process.argv[2] === 'parent') {
  fork(process.argv[1]!, [], { execArgv: process.execArgv }).once('message', (pid) => process.send!(pid));
} else {
  exitWithParent();
  process.send!(process.pid, () => {
    for (;;);
  });
}
