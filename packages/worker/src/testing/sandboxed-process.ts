// A worker in its own process, which tests kill: runs the shell command in its second argument in a task's sandbox, and
// prints its output.
import { runIsolated } from '../isolation/index.ts';

const [isolation, command] = process.argv.slice(2) as [string, string];
const shell = { command: '/bin/sh', args: ['-c', command], cwd: '/', env: { PATH: '/usr/bin:/bin' } };
const onLine = (_: string, line: string) => void process.send!(line);
await runIsolated(JSON.parse(isolation), { interpreters: [], readable: [], writable: [] }, { ...shell, onLine });
