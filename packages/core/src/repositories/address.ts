import { isMetadataHost } from '../addresses/index.ts';

/**
 * Why a repository URL is refused, with what to write instead (DEPLOY-14); null if it may be used. `allowLocal` are the
 * folders in which the operator allows local paths. The worker resolves links and hosts again before it fetches.
 */
export function repositoryAddress(url: string, allowLocal: readonly string[]): string | null {
  if (url !== url.trim() || /[\p{C}\s\\]/u.test(url))
    return 'must not contain spaces, control characters or backslashes';
  if (url.startsWith('/') || url.startsWith('file://')) return localAddress(url.replace(/^file:\/\//, ''), allowLocal);
  if (/^(https|ssh):\/\//.test(url)) {
    if (!URL.canParse(url)) return 'is not a valid URL';
    const { hostname, username, password, search, hash, protocol } = new URL(url);
    if (hostname === '' || hostname.startsWith('-')) return 'must have a host that does not start with "-"';
    if (isMetadataHost(hostname)) return 'must not be a link-local or metadata address: use the host of the repository';
    if (password !== '' || (protocol === 'https:' && username !== '')) {
      return 'must not contain a user name or password: put them into a secret and set credential_secret to its name';
    }
    if (search !== '' || hash !== '') return 'must not contain "?" or "#"';
    return null;
  }
  if (/^[\w.-]+@[\w.-]+:/.test(url)) return `must be written as a URL: ssh://${url.replace(':', '/')}`;
  return 'must start with https:// or ssh://';
}

function localAddress(path: string, allowLocal: readonly string[]): string | null {
  if (path.split('/').some((part) => part === '..' || part === '.')) return 'must not contain "." or ".." in its path';
  const inside = allowLocal.some((folder) => path === folder || path.startsWith(`${folder.replace(/\/$/, '')}/`));
  return inside
    ? null
    : 'is a local path that SVC_REPOSITORIES__ALLOW_LOCAL does not allow; the operator can add its folder there';
}
