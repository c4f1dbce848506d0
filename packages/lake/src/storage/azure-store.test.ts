import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { AZURE } from './azure-options.ts';
import { openAzureStore } from './azure-store.ts';
import { type Azurite, startAzurite } from './testing/azurite.ts';
import { bucketContract, type TestedBucket } from './testing/bucket-contract.ts';
import { startFaultProxy } from './testing/fault-proxy.ts';

const program = process.env['TEST_AZURITE'];
const there = program !== undefined && existsSync(program);
if (!there) console.warn("Azure Blob Storage isn't tested: TEST_AZURITE doesn't name a program (see CONTRIBUTING.md).");

(there ? describe : describe.skip)('a container of Azure Blob Storage', () => {
  let emulator: Azurite;
  let tested: TestedBucket;
  beforeAll(async () => {
    const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'azure-store-'));
    emulator = await startAzurite(program!);
    const proxy = await startFaultProxy(emulator.endpoint);
    const azure = { ...AZURE, endpoint: proxy.endpoint, accountKey: emulator.accountKey };
    const absent = emulator.url.replace('lake@', 'absent@');
    tested = {
      dir,
      proxy,
      open: (prefix, options) => openAzureStore(`${emulator.url}/below/${prefix}`, options, azure),
      openMissing: (options) => openAzureStore(`${absent}/below`, options, azure),
    };
  });
  afterAll(async () => {
    await tested.proxy.close();
    await emulator.stop();
    await fs.rm(tested.dir, { recursive: true, force: true });
  });

  bucketContract(() => tested, {
    isUpload: ({ method, url }) => method === 'PUT' && !/[?&]comp=/.test(url ?? ''),
    isDownload: ({ method, url }) => method === 'GET' && !/[?&]comp=/.test(url ?? ''),
    isRemoval: ({ method }) => method === 'DELETE',
    isListing: ({ url }) => /[?&]comp=list(?:&|$)/.test(url ?? ''),
    parts: {
      isPart: ({ url }) => /[?&]comp=block(?:&|$)/.test(url ?? ''),
      isCompletion: ({ url }) => /[?&]comp=blocklist/.test(url ?? ''),
    },
  });

  test('an object of which somebody made a snapshot can be removed', async () => {
    const options = { cacheDir: tested.dir, cacheLimit: 1, clock: Date.now };
    const store = await tested.open('snapshots', options);
    const { account, accountKey, endpoint } = emulator;
    const key = new StorageSharedKeyCredential(account, accountKey);
    const service = new BlobServiceClient(`${endpoint}/${account}`, key);
    const container = service.getContainerClient('lake');
    for (const name of ['a', 'b']) {
      await store.write(`${store.root}/t/${name}`, Buffer.from(name));
      await container.getBlobClient(`below/snapshots/t/${name}`).createSnapshot();
    }
    expect(await store.remove(`${store.root}/t/a`)).toBe(true);
    expect(await store.removePrefix(`${store.root}/t`)).toEqual({ files: 1, bytes: 1, done: true });
    expect(await store.stat(`${store.root}/t/b`)).toBeNull();
  });

  test.each(['/other/k', 'more/k', ''])('refuses root + %p outside of it', async (suffix) => {
    const store = await tested.open('x', { cacheDir: tested.dir, cacheLimit: 1, clock: Date.now });
    const location = `${emulator.url}/below${suffix}`;
    await expect(store.read(location)).rejects.toMatchObject({ reason: 'outside' });
  });
});
