import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startService } from '@svc/sdk/testing';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const MEGABYTES = 32;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-pipe-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Starts the program with a large download; its output is a pipe. */
async function download(url: string) {
  const entry = join(folder, 'entry.mjs');
  await writeFile(entry, `import { main } from '${root}packages/cli/src/main.ts';\nawait main();\n`);
  const flags = ['--import', `${root}scripts/typescript.mjs`, '--conditions=@svc/source'];
  const argv = ['table', 'download', 'sales.report', '--env', 'dev'];
  const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder, SVC_URL: url, SVC_TOKEN: 't' };
  return spawn(process.execPath, [...flags, entry, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

test('a large download to a pipe arrives whole and prints nothing else', async () => {
  const service = await startService(() => ({ body: 'x'.repeat(MEGABYTES << 20) }));
  const child = await download(service.url);
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  await service.close();
  expect({ bytes, code, stderr }).toEqual({ bytes: MEGABYTES << 20, code: 0, stderr: '' });
});

test('a reader that closes the pipe early ends the command without an error', async () => {
  const service = await startService(() => ({ body: 'x'.repeat(MEGABYTES << 20) }));
  const child = await download(service.url);
  child.stdout.once('data', () => child.stdout.destroy());
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  await service.close();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
