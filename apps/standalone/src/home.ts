import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTokenText } from '@svc/core/access';

/** The files that the standalone service keeps next to its database and tables. */
export interface Home {
  folder: string;
  tokenFile: string;
  token: string;
  secretsKey: string;
}

const NEW_TOKEN = 'Delete it, and start the service again: it makes a new token.';
const NEW_KEY =
  'Put the key back from where you saved it. If the service has never run, delete the file and start it again: it makes a new key.';

/** A file of the home folder that contains nothing. The message says what to do. */
export class EmptyFileError extends Error {
  override readonly name = 'EmptyFileError';
}

/** A file that only its owner can read, created by the first start. Two concurrent starts use the same content. */
function readOrCreate(file: string, make: () => string, remedy: string): string {
  if (!existsSync(file)) create(file, `${make()}\n`);
  chmodSync(file, 0o600);
  const content = readFileSync(file, 'utf8').trim();
  if (content === '') throw new EmptyFileError(`${file} is empty. ${remedy}`);
  return content;
}

/** The file appears when it is complete: a start on a full disk leaves none. */
function create(file: string, content: string): void {
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.part`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
    linkOrRename(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Never replaces a file of a concurrent start, where the file system has links. */
function linkOrRename(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    renameSync(draft, file);
  }
}

export function openHome(folder: string, options: { token: string | undefined; secretsKey: string | undefined }): Home {
  mkdirSync(folder, { recursive: true });
  const tokenFile = join(folder, 'admin-token');
  const random = (bytes: number) => new Uint8Array(randomBytes(bytes));
  return {
    folder,
    tokenFile,
    token: options.token ?? readOrCreate(tokenFile, () => makeTokenText('personal', random), NEW_TOKEN),
    secretsKey:
      options.secretsKey ??
      readOrCreate(join(folder, 'secrets.key'), () => randomBytes(32).toString('base64'), NEW_KEY),
  };
}
