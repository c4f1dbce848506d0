import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { answers, freePort } from './s3-server.ts';

const ACCOUNT = 'devstoreaccount1';
/** The account's key, which Azurite's documentation publishes. */
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** An emulator of Azure Blob Storage (Azurite), with one container. */
export interface Azurite {
  readonly account: string;
  readonly accountKey: string;
  /** Without the account. */
  readonly endpoint: string;
  /** `abfss://lake@ACCOUNT.dfs.core.windows.net` */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** @param program path of Azurite's `main.js` for blobs */
export async function startAzurite(program: string): Promise<Azurite> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const args = ['--blobHost', '127.0.0.1', '--blobPort', String(port), '--inMemoryPersistence', '--silent'];
  const child = spawn(process.execPath, [program, ...args, '--skipApiVersionCheck', '--disableTelemetry'], {
    stdio: 'ignore',
  });
  await answers(child, endpoint);
  const service = new BlobServiceClient(`${endpoint}/${ACCOUNT}`, new StorageSharedKeyCredential(ACCOUNT, KEY));
  await service.createContainer('lake');
  return {
    account: ACCOUNT,
    accountKey: KEY,
    endpoint,
    url: `abfss://lake@${ACCOUNT}.dfs.core.windows.net`,
    async stop() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
