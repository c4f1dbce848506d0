import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import type { S3Options } from '../s3-options.ts';

const CREDENTIALS = { accessKeyId: 'test-key', secretAccessKey: 'test-secret-of-the-key' };

/** An S3-compatible server of its own (Versity's gateway over a folder), with one bucket. */
export interface S3Server {
  readonly bucket: string;
  /** How a store reaches it. */
  readonly options: S3Options;
  /** An account with a bucket that no other account but the server's own may touch. */
  readonly addAccount: (name: string, secret: string, bucket: string) => Promise<void>;
  /** The key that an account had before works no longer. */
  readonly setSecret: (name: string, secret: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** @param program path of `versitygw` */
export async function startS3Server(program: string, dir: string): Promise<S3Server> {
  const port = await freePort();
  const data = path.join(dir, 's3');
  const metadata = path.join(dir, 'metadata');
  const versions = path.join(dir, 'versions');
  const accounts = path.join(dir, 'accounts');
  const folders = [path.join(data, 'lake'), metadata, versions, accounts];
  for (const folder of folders) await mkdir(folder, { recursive: true });
  const posix = ['posix', '--sidecar', metadata, '--versioning-dir', versions, data];
  const iam = ['--iam-dir', accounts, '--iam-cache-disable'];
  const child = spawn(program, ['--port', `127.0.0.1:${port}`, '--quiet', ...iam, ...posix], {
    env: { ROOT_ACCESS_KEY: CREDENTIALS.accessKeyId, ROOT_SECRET_KEY: CREDENTIALS.secretAccessKey },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await answers(child, endpoint);
  const admin = async (...args: string[]) => {
    const { accessKeyId, secretAccessKey } = CREDENTIALS;
    const root = ['--access', accessKeyId, '--secret', secretAccessKey, '--endpoint-url', endpoint];
    await promisify(execFile)(program, ['admin', ...root, ...args]);
  };
  return {
    bucket: 'lake',
    options: {
      endpoint,
      region: 'us-east-1',
      pathStyle: true,
      credentials: CREDENTIALS,
      cacheDir: path.join(dir, 'cache'),
      cacheLimit: 1e9,
      clock: Date.now,
    },
    async addAccount(name, secret, bucket) {
      await admin('create-user', '--access', name, '--secret', secret, '--role', 'user');
      await admin('create-bucket', '--owner', name, '--bucket', bucket);
    },
    setSecret: (name, secret) => admin('update-user', '--access', name, '--secret', secret),
    async stop() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
      await rm(data, { recursive: true, force: true });
    },
  };
}

export async function answers(child: ChildProcess, endpoint: string): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
  throw new Error('the S3 server exited before it was ready');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
