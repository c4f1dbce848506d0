// A worker in a process of its own, to be killed: runs the shell command that its second argument holds in the room of a
// task, and passes on what it prints.
import { runInRoom } from '../isolation/index.ts';

const [isolation, command] = process.argv.slice(2) as [string, string];
const shell = { command: '/bin/sh', args: ['-c', command], cwd: '/', env: { PATH: '/usr/bin:/bin' } };
const onLine = (_: string, line: string) => void process.send!(line);
await runInRoom(JSON.parse(isolation), { interpreters: [], readable: [], writable: [] }, { ...shell, onLine });
