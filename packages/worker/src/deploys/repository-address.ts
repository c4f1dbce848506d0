import { realpathSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { trimEnd } from '@svc/core/contract';
import { ProjectError } from './project-error.ts';

/**
 * The credential of a repository: a password (and user name) for https, or a key with the host's known keys for ssh.
 */
export interface RepositoryCredential {
  readonly username?: string;
  readonly password?: string;
  readonly sshKey?: string;
  readonly knownHosts?: string;
}

/** A checked address in the form passed to git. */
export interface RepositoryAddress {
  readonly kind: 'https' | 'ssh' | 'local';
  readonly url: string;
  /** The form that is safe to show: without a credential. */
  readonly shown: string;
}

const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$|^\[[0-9a-fA-F:.]+\]$/;

function reject(detail: string, remedy: string): never {
  throw new ProjectError('repository-url-refused', detail, remedy);
}

/**
 * Checks a repository's URL (DEPLOY-14): https, ssh, or a local path below a folder that the operator allows. Rejects
 * anything that git could read as an option, a helper program or a credential. Throws ProjectError.
 */
export function checkAddress(url: string, allowLocal: readonly string[]): RepositoryAddress {
  if (url.length > 1024 || /[\s\p{C}\\]/u.test(url)) {
    reject(
      'the repository URL has spaces or control characters, or is longer than 1,024 characters',
      'write https://<host>/<path>',
    );
  }
  if (url.startsWith('-') || /^[A-Za-z][\w+-]*::/.test(url)) {
    reject(`${JSON.stringify(url)} isn't a repository URL`, 'write https://<host>/<path>');
  }
  if (url.startsWith('https://')) return checkHttps(url);
  if (url.startsWith('ssh://')) return checkSsh(url);
  if (url.startsWith('file://') || isAbsolute(url)) return checkLocal(url, allowLocal);
  const short = /^([A-Za-z0-9_.-]+)@([A-Za-z0-9.-]+):(?!\/\/)(.+)$/.exec(url);
  if (short !== null) return checkSsh(`ssh://${short[1]}@${short[2]}/${short[3]!.replace(/^\//, '')}`);
  return reject(`${JSON.stringify(url)} is neither an https nor an ssh URL`, 'write https://<host>/<path>');
}

function checkHttps(url: string): RepositoryAddress {
  const parsed = parse(url);
  if (parsed.username !== '' || parsed.password !== '') {
    reject(
      'the repository URL contains a user name or password',
      'store them in the secret named by credential_secret',
    );
  }
  if (parsed.search !== '' || parsed.hash !== '') reject('the repository URL has "?" or "#"', 'remove that part');
  return { kind: 'https', url: parsed.href, shown: parsed.href };
}

function checkSsh(url: string): RepositoryAddress {
  const parsed = parse(url);
  if (parsed.password !== '')
    reject('the repository URL contains a password', 'store it in the secret named by credential_secret');
  // ssh would read a user or host that starts with "-" as an option.
  if (!/^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(parsed.username || 'git')) {
    reject("the user name of the ssh URL isn't allowed", 'write ssh://git@<host>/<path>');
  }
  if (parsed.search !== '' || parsed.hash !== '' || parsed.pathname.length < 2 || parsed.pathname.startsWith('/-')) {
    reject("the path of the ssh URL isn't allowed", 'write ssh://git@<host>/<path>');
  }
  return { kind: 'ssh', url: parsed.href, shown: parsed.href };
}

function parse(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !HOST.test(parsed.hostname)) {
    return reject(
      `${JSON.stringify(url.replace(/\/\/[^/]*@/, '//'))} has no valid host`,
      'write https://<host>/<path>',
    );
  }
  return parsed;
}

function checkLocal(url: string, allowLocal: readonly string[]): RepositoryAddress {
  const remedy = 'have the operator add the folder to SVC_REPOSITORIES__ALLOW_LOCAL, or send the project as a bundle';
  let path: string;
  try {
    path = realpathSync(url.startsWith('file://') ? fileURLToPath(url) : url);
  } catch {
    return reject("the local repository path isn't allowed or doesn't exist", remedy);
  }
  // Compared after links are resolved: a link inside an allowed folder must not lead out of it.
  const allowed = allowLocal.some((folder) => {
    const root = realpathOrNull(folder);
    return root !== null && (path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));
  });
  if (!allowed) reject("the local repository path isn't allowed or doesn't exist", remedy);
  return { kind: 'local', url: path, shown: path };
}

function realpathOrNull(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch {
    return null;
  }
}

/** Checks a branch, tag or commit id: rejects anything git could read as an option or a revision expression. */
export function checkRef(ref: string): string {
  if (
    !/^[^\s\p{C}~^:?*[\\@{}-][^\s\p{C}~^:?*[\\{}]{0,254}$/u.test(ref) ||
    ref.includes('..') ||
    ref.endsWith('.lock')
  ) {
    throw new ProjectError(
      'ref-refused',
      `${JSON.stringify(ref)} isn't a valid ref`,
      'use a branch, a tag or a commit id',
    );
  }
  return ref;
}

/** Checks the project's folder inside a repository; an empty text is the root. */
export function checkFolder(folder: string | null): string {
  const path = trimEnd((folder ?? '').replace(/^\.\//, ''), '/');
  if (path === '' || path === '.') return '';
  const parts = path.split('/');
  if (/[\p{C}\\]/u.test(path) || path.length > 1024 || parts.some((part) => ['', '.', '..', '.git'].includes(part))) {
    throw new ProjectError(
      'folder-refused',
      `${JSON.stringify(folder)} isn't a valid folder of a repository`,
      'write it like projects/sales',
    );
  }
  return path;
}
