import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { readSettings } from '@svc/core/settings';
import { storageOptions } from './storage-options.ts';

let home: string;
beforeEach(async () => {
  home = await fs.mkdtemp(path.join(os.tmpdir(), 'file-cache-'));
});
afterEach(() => fs.rm(home, { recursive: true, force: true }));

const MINUTE_MS = 60_000;

test('a copy stays for as long as a query that requested it may run', async () => {
  let now = 1e12;
  const variables = { SVC_QUERY__TIMEOUT_SECONDS: '7200', SVC_STORAGE__CACHE_LIMIT: '250KB' };
  const settings = readSettings(variables, () => '');
  const { cache } = storageOptions(settings, home, () => now);
  const copyOf = (name: string) => cache!.path(`s3://lake/${name}`, async () => Readable.from([Buffer.alloc(100_000)]));
  const first = await copyOf('first');
  for (const minutes of [40, 40, 39]) {
    now += minutes * MINUTE_MS;
    await copyOf(`after-${minutes}-${now}`);
  }
  expect(existsSync(first)).toBe(true);
  now += 2 * MINUTE_MS;
  await copyOf('last');
  expect(existsSync(first)).toBe(false);
});
