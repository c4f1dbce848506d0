import { join } from 'node:path';
import { Sandbox } from '@svc/lake/queries';
import { openLocalStore } from '@svc/lake/storage';

/** Starts the engine's processes with their own store below a folder; `close` stops them. */
export async function openTestSandbox(folder: string): Promise<Sandbox> {
  return new Sandbox({
    memoryLimit: 1e9,
    tempLimit: 1e9,
    timeoutMs: 60_000,
    threads: 1,
    store: await openLocalStore(join(folder, 'warehouse')),
    tempDir: join(folder, 'queries'),
    prefork: 0,
  });
}
