// A worker in its own process, which can have fewer rights than the test: runs the Python program in its arguments within limits,
// and prints the limit that it exceeded and what the worker can't enforce.
import type { Isolation } from '../isolation/index.ts';
import { runLimited, type TaskLimits } from '../limits/index.ts';
import type { InstalledTool } from '../programs/find-tools.ts';
import { limitedHere } from './limited-here.ts';

interface LimitedProcess {
  readonly isolation: Isolation;
  readonly python: InstalledTool;
  readonly limits: Partial<TaskLimits>;
  readonly folder: string;
  readonly code: string;
}

const { isolation, python, limits, folder, code } = JSON.parse(process.argv[2]!) as LimitedProcess;
const limited = { ...(await limitedHere(isolation, python, limits)), python: python.command, folder };
const paths = { interpreters: [python.command], readable: [], writable: [folder] };
const program = { command: python.command, args: ['-I', '-c', code], cwd: folder, env: {} };
const { breach } = await runLimited({ isolation, paths, limited }, program);
console.log(JSON.stringify({ breach, notes: limited.enforcement.notes }));
