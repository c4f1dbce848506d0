import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { GOOGLE } from './google-options.ts';
import { openGoogleStore } from './google-store.ts';
import { bucketContract, type TestedBucket } from './testing/bucket-contract.ts';
import { startFaultProxy } from './testing/fault-proxy.ts';
import { type GoogleEmulator, startGoogleEmulator } from './testing/google-emulator.ts';

const program = process.env['TEST_GOOGLE_EMULATOR'];
const there = program !== undefined && existsSync(program);
if (!there)
  console.warn("Google Cloud Storage isn't tested: TEST_GOOGLE_EMULATOR doesn't name a program (see CONTRIBUTING.md).");

(there ? describe : describe.skip)('a bucket of Google Cloud Storage', () => {
  let emulator: GoogleEmulator;
  let tested: TestedBucket;
  beforeAll(async () => {
    const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'google-store-'));
    emulator = await startGoogleEmulator(program!);
    const proxy = await startFaultProxy(emulator.endpoint);
    const google = { ...GOOGLE, endpoint: proxy.endpoint };
    tested = {
      dir,
      proxy,
      open: async (prefix, options) => openGoogleStore(`gs://${emulator.bucket}/below/${prefix}`, options, google),
      openMissing: async (options) => openGoogleStore('gs://absent/below', options, google),
    };
  });
  afterAll(async () => {
    await tested.proxy.close();
    await emulator.stop();
    await fs.rm(tested.dir, { recursive: true, force: true });
  });

  const isUpload = (url = '') => /\/upload\//.test(url) || /uploadType=/.test(url);
  bucketContract(() => tested, {
    isUpload: ({ method, url }) => method === 'POST' && isUpload(url),
    isDownload: ({ method, url }) => method === 'GET' && /alt=media/.test(url ?? ''),
    isRemoval: ({ method }) => method === 'DELETE',
    isListing: ({ method, url }) => method === 'GET' && /\/o\?/.test(url ?? ''),
    // The emulator completes an upload when the client requests how much of it has arrived.
    parts: null,
  });

  test.each(['gs://other/k', 's3://lake/below/k', '/etc/passwd', 'gs://lake', 'gs://lake/belowmore', ''])(
    'refuses %p',
    async (location) => {
      const store = await tested.open('x', { cacheDir: tested.dir, cacheLimit: 1, clock: Date.now });
      await expect(store.read(location)).rejects.toMatchObject({ reason: 'outside' });
    },
  );
});
