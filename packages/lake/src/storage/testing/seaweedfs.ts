import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { openS3Client } from '../s3-client.ts';
import type { S3Options, StsOptions } from '../s3-options.ts';
import { answers, freePort } from './s3-server.ts';

const CREDENTIALS = { accessKeyId: 'test-key', secretAccessKey: 'test-secret-of-the-key' };
const ROLE = 'arn:aws:iam::000000000000:role/svc-tables';

const everything = (Principal?: string) => ({
  Version: '2012-10-17',
  Statement: [
    Principal === undefined
      ? { Effect: 'Allow', Action: '*', Resource: '*' }
      : { Effect: 'Allow', Action: 'sts:AssumeRole', Principal },
  ],
});

/** Its key may do everything, and so may its role: only a session policy restricts credentials. */
const CONFIGURATION = {
  identities: [
    {
      name: 'svc',
      credentials: [{ accessKey: CREDENTIALS.accessKeyId, secretKey: CREDENTIALS.secretAccessKey }],
      actions: ['Admin', 'Read', 'List', 'Tagging', 'Write'],
    },
  ],
  sts: {
    tokenDuration: '12h',
    maxSessionLength: '24h',
    issuer: 'seaweedfs-sts',
    signingKey: Buffer.from('test-signing-key-of-the-token-service').toString('base64'),
  },
  roles: [{ roleName: 'svc-tables', roleArn: ROLE, trustPolicy: everything('*'), attachedPolicies: ['Everything'] }],
  policies: [{ name: 'Everything', document: everything() }],
};

/** An S3-compatible server with a token service (SeaweedFS), with one bucket. */
export interface SeaweedFS {
  readonly bucket: string;
  /** How a store reaches it. */
  readonly options: S3Options & { readonly sts: StsOptions };
  readonly stop: () => Promise<void>;
}

/** @param program path of `weed` */
export async function startSeaweedFS(program: string, dir: string): Promise<SeaweedFS> {
  const data = path.join(dir, 'seaweedfs');
  await mkdir(data, { recursive: true });
  const configuration = path.join(data, 'iam.json');
  await writeFile(configuration, JSON.stringify(CONFIGURATION));
  const ports: Record<string, number> = {};
  for (const server of ['master', 'volume', 'filer', 's3', 'admin'])
    for (const name of [`${server}.port`, `${server}.port.grpc`]) ports[name] = await freePort();
  const unused = ['-webdav=false', '-s3.port.lance=0', '-s3.port.iceberg=0', '-admin.port.legacy=0'];
  const child = spawn(
    program,
    [
      ...['mini', '-ip=127.0.0.1', '-ip.bind=127.0.0.1', `-dir=${data}`, ...unused],
      ...[`-s3.config=${configuration}`, `-s3.iam.config=${configuration}`],
      ...Object.entries(ports).map(([name, port]) => `-${name}=${port}`),
    ],
    { cwd: data, stdio: 'ignore' },
  );
  const endpoint = `http://127.0.0.1:${ports['s3.port']}`;
  await answers(child, endpoint);
  const options = {
    endpoint,
    region: 'us-east-1',
    pathStyle: true,
    credentials: CREDENTIALS,
    sts: { role: ROLE, endpoint: null, minutes: 15 },
    cacheDir: path.join(dir, 'cache'),
    cacheLimit: 1e9,
    clock: Date.now,
  };
  const client = openS3Client(options);
  await client.send(new CreateBucketCommand({ Bucket: 'lake' }));
  client.destroy();
  return {
    bucket: 'lake',
    options,
    async stop() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
      await rm(data, { recursive: true, force: true });
    },
  };
}
