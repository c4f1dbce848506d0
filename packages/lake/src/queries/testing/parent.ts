/** A process with a child that runs a statement without end, to be killed by a test. Prints the child's process id. */
import path from 'node:path';
import { openLocalStore } from '../../storage/index.ts';
import { Sandbox } from '../index.ts';
import { confine } from '../sandbox/confine.ts';

const dir = process.argv[2]!;
const store = await openLocalStore(path.join(dir, 'w'));
const limits = { memoryLimit: 1e9, timeoutMs: 100_000, threads: 1, tempLimit: 1e8 };
const sandbox = new Sandbox({ store, tempDir: path.join(dir, 'tmp'), prefork: 0, ...limits });
await sandbox.withChild(async (child) => {
  await child.ready;
  await confine(child, limits, { files: [], outputDir: null });
  // The child reports progress once the statement runs.
  child.watch({ memoryLimit: 1e9, timeoutMs: 100_000, onProgress: () => process.send?.(child.pid) });
  await child.send({ op: 'run', statements: ['SELECT count(*) FROM range(100000000000) a WHERE a.range % 7 = 3'] });
});
