import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTokenText } from '@svc/core/access';

/** The files that the standalone service keeps next to its database and tables. */
export interface Home {
  folder: string;
  tokenFile: string;
  token: string;
  secretsKey: string;
}

/** A file that only its owner can read, created by the first start. Two concurrent starts use the same content. */
function readOrCreate(file: string, make: () => string): string {
  try {
    writeFileSync(file, `${make()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}

export function openHome(folder: string, options: { token: string | undefined; secretsKey: string | undefined }): Home {
  mkdirSync(folder, { recursive: true });
  const tokenFile = join(folder, 'admin-token');
  const random = (bytes: number) => new Uint8Array(randomBytes(bytes));
  return {
    folder,
    tokenFile,
    token: options.token ?? readOrCreate(tokenFile, () => makeTokenText('personal', random)),
    secretsKey:
      options.secretsKey ?? readOrCreate(join(folder, 'secrets.key'), () => randomBytes(32).toString('base64')),
  };
}
