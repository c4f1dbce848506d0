import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { ObjectStore } from './object-store.ts';
import { openS3Client } from './s3-client.ts';
import { openS3Store } from './s3-store.ts';
import { type SeaweedFS, startSeaweedFS } from './testing/seaweedfs.ts';
import { storeContract } from './testing/store-contract.ts';
import type { CredentialRequest } from './vended-credentials.ts';

const program = process.env['TEST_SEAWEEDFS'];
const there = program !== undefined && existsSync(program);
if (!there)
  console.warn("The token service isn't tested: TEST_SEAWEEDFS doesn't name a program (see CONTRIBUTING.md).");

(there ? describe : describe.skip)('a bucket whose server has a token service', () => {
  let dir: string;
  let server: SeaweedFS;
  let serial = 0;
  beforeAll(async () => {
    dir = await fs.mkdtemp(path.join(os.tmpdir(), 'token-service-'));
    server = await startSeaweedFS(program!, dir);
  });
  afterAll(async () => {
    await server.stop();
    await fs.rm(dir, { recursive: true, force: true });
  });
  const open = () => {
    const cacheDir = path.join(dir, `cache-${serial}`);
    return openS3Store(`s3://${server.bucket}/below/${serial++}`, { ...server.options, cacheDir });
  };

  storeContract(open);

  describe('temporary credentials', () => {
    const Bucket = 'lake';
    let store: ObjectStore;
    let clients: S3Client[] = [];
    beforeEach(async () => {
      store = open();
      for (const name of ['t/data/a', 't/metadata/0.metadata.json', 't/metadata/m.avro', 'tail/data/a', 'other/data/a'])
        await store.write(`${store.root}/${name}`, Buffer.from(`content of ${name}`));
    });
    afterEach(() => {
      for (const client of clients) client.destroy();
      clients = [];
    });
    const keyOf = (name: string) => `${store.root}/${name}`.slice(`s3://${Bucket}/`.length);

    type Access = readonly ('read' | 'write' | 'remove')[];
    const clientWith = (...access: Access) => clientFor({ location: `${store.root}/t`, reads: null, access });

    async function clientFor(on: Omit<CredentialRequest, 'exact' | 'sessionName'>): Promise<S3Client> {
      const vended = await store.vendCredentials({ ...on, exact: true, sessionName: 'svc-test' });
      const { properties } = vended!;
      const credentials = {
        accessKeyId: properties['s3.access-key-id']!,
        secretAccessKey: properties['s3.secret-access-key']!,
        sessionToken: properties['s3.session-token']!,
      };
      const client = openS3Client({ ...server.options, credentials });
      clients.push(client);
      return client;
    }

    /** `ok`, or the status with which the server refused. */
    const attempt = (request: Promise<unknown>) =>
      request.then(
        () => 'ok',
        (error: { $metadata?: { httpStatusCode?: number } }) => error.$metadata?.httpStatusCode ?? String(error),
      );
    const get = (client: S3Client, name: string) =>
      attempt(client.send(new GetObjectCommand({ Bucket, Key: keyOf(name) })));
    const put = (client: S3Client, name: string) =>
      attempt(client.send(new PutObjectCommand({ Bucket, Key: keyOf(name), Body: 'new' })));
    const remove = (client: S3Client, name: string) =>
      attempt(client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) })));
    const list = (client: S3Client, Prefix: string | undefined) =>
      attempt(client.send(new ListObjectsV2Command({ Bucket, ...(Prefix === undefined ? {} : { Prefix }) })));

    /** Everything that no credentials may do, whatever their access. */
    async function expectConfined(client: S3Client): Promise<void> {
      for (const name of ['tail/data/a', 'other/data/a', 't', 'results/x']) {
        expect([name, await get(client, name)]).toEqual([name, 403]);
        expect([name, await put(client, name)]).toEqual([name, 403]);
        expect([name, await remove(client, name)]).toEqual([name, 403]);
      }
      for (const prefix of [undefined, '', keyOf('t'), keyOf('tail/'), keyOf('other/'), keyOf('')])
        expect([prefix, await list(client, prefix)]).toEqual([prefix, 403]);
      for (const name of [
        't/metadata/0.metadata.json',
        't/metadata/1.metadata.json',
        't/metadata/1.metadata.json.gz',
      ]) {
        expect([name, await put(client, name)]).toEqual([name, 403]);
        expect([name, await remove(client, name)]).toEqual([name, 403]);
      }
      const CopySource = `${Bucket}/${keyOf('other/data/a')}`;
      expect(await attempt(client.send(new CopyObjectCommand({ Bucket, CopySource, Key: keyOf('t/data/copy') })))).toBe(
        403,
      );
      expect(await attempt(client.send(new PutBucketPolicyCommand({ Bucket, Policy: '{}' })))).toBe(403);
    }

    test('with read access, they read and list the folder of the table (CREDENTIAL-2)', async () => {
      const client = await clientWith('read');
      expect([await get(client, 't/data/a'), await get(client, 't/metadata/0.metadata.json')]).toEqual(['ok', 'ok']);
      expect(await attempt(client.send(new HeadObjectCommand({ Bucket, Key: keyOf('t/data/a') })))).toBe('ok');
      expect([await list(client, keyOf('t/')), await list(client, keyOf('t/data/'))]).toEqual(['ok', 'ok']);
      expect([await put(client, 't/data/b'), await remove(client, 't/data/a')]).toEqual([403, 403]);
      await expectConfined(client);
    });

    test('those of a staging table write its folder, and read the one around it', async () => {
      const [reads, access] = [`${store.root}/t`, ['read', 'write']] as const;
      const client = await clientFor({ location: `${reads}/staged/s`, reads, access });
      expect([await put(client, 't/staged/s/data/a'), await put(client, 't/data/b')]).toEqual(['ok', 403]);
      expect([await get(client, 't/staged/s/data/a'), await get(client, 't/data/a')]).toEqual(['ok', 'ok']);
      expect(await put(client, 't/staged/other/data/a')).toBe(403);
      await expectConfined(client);
    });

    test('with write access, they add files, also in parts (CREDENTIAL-2)', async () => {
      const client = await clientWith('write');
      expect(await put(client, 't/data/b')).toBe('ok');
      const Key = keyOf('t/data/parts');
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      const part = { Bucket, Key, UploadId, PartNumber: 1, Body: 'part' };
      const { ETag } = await client.send(new UploadPartCommand(part));
      const MultipartUpload = { Parts: [{ ETag, PartNumber: 1 }] };
      await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
      expect((await store.read(`${store.root}/t/data/parts`)).toString()).toBe('part');
      const unfinished = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: keyOf('t/data/other') }));
      const abort = { Bucket, Key: keyOf('t/data/other'), UploadId: unfinished.UploadId };
      expect(await attempt(client.send(new AbortMultipartUploadCommand(abort)))).toBe('ok');
      const metadata = { Bucket, Key: keyOf('t/metadata/0.metadata.json') };
      expect(await attempt(client.send(new CreateMultipartUploadCommand(metadata)))).toBe(403);
      expect([await get(client, 't/data/a'), await list(client, keyOf('t/'))]).toEqual([403, 403]);
      expect(await remove(client, 't/data/a')).toBe(403);
      await expectConfined(client);
    });

    test('with access to remove, they remove files, also several (CREDENTIAL-2)', async () => {
      const client = await clientWith('remove');
      const removeAll = async (...names: string[]) => {
        const Objects = names.map((name) => ({ Key: keyOf(name) }));
        const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
        return Errors.map(({ Code }) => Code);
      };
      expect(await removeAll('t/data/a', 't/metadata/0.metadata.json', 'other/data/a')).toEqual([
        'AccessDenied',
        'AccessDenied',
      ]);
      expect(await store.stat(`${store.root}/t/data/a`)).toBeNull();
      expect(await remove(client, 't/metadata/m.avro')).toBe('ok');
      expect([await get(client, 't/data/a'), await put(client, 't/data/b')]).toEqual([403, 403]);
      await expectConfined(client);
    });

    test('with every access, they still reach nothing else (CREDENTIAL-3)', async () => {
      const client = await clientWith('read', 'write', 'remove');
      const done = [await get(client, 't/data/a'), await put(client, 't/data/b'), await remove(client, 't/data/b')];
      expect(done).toEqual(['ok', 'ok', 'ok']);
      await expectConfined(client);
    });
  });
});
