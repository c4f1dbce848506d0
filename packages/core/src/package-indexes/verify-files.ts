import { addressOf, addressText } from './index-address.ts';
import { isLoopback } from './index-host.ts';
import { type IndexAddress, withoutUser } from './index-url.ts';
import { type LockFile, type LockPackage, WHEELHOUSE } from './lock.ts';
import type { LockInput } from './lock-input.ts';
import { PUBLIC_FILE_HOST, PUBLIC_REGISTRY, TEST_FILE_HOST, TEST_HOST } from './public-hosts.ts';

type ReportFailure = (message: string, remedy: string) => void;
type Input = Pick<LockInput, 'wheelhouse' | 'fileHosts'>;

/** What a lock takes from one source, collected while the lock is read. */
export interface Fetching {
  index: string | null;
  operator: boolean;
  packages: string[];
  addresses: Map<string, IndexAddress>;
  /** URLs up to their path at which this source may have files: checked before, so not checked again for each file. */
  allowedPrefixes: Set<string>;
}

/** Validates each file of a package; `address` is its index's, or null for the wheel folder. */
export function verifyFiles(
  found: LockPackage,
  address: IndexAddress | null,
  input: Input,
  report: ReportFailure,
  fetching: Fetching,
): void {
  for (const file of found.files) {
    const fault = contentFault(file);
    if (fault !== null)
      report(`the file ${fileName(file)} of the package ${found.name} ${fault}`, 'lock again with uv lock');
    else if (address === null) verifyLocalFile(found, file, input, report);
    else verifyRemoteFile(found, file, address, input, report, fetching);
  }
  if (found.files.some((file) => file.kind === 'wheel')) return;
  report(
    `the package ${found.name} ${found.version ?? ''} has no wheel, and Python environments are built only from wheels`.replace(
      '  ',
      ' ',
    ),
    'choose a version with a wheel, or put a wheel into wheelhouse, and lock again',
  );
}

/** The digests that the installer knows (LOCK-7), except MD5: two different files can have the same MD5 digest. */
const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|(?:sha512|blake2b):[0-9a-f]{128})$/;

/** What is wrong with a file regardless of its source, or null. */
function contentFault({ kind, url, path, hash }: LockFile): string | null {
  const name = (url ?? path ?? '').replace(/[?#].*$/s, '');
  if (kind === 'wheel' && (url ?? path) !== null && !name.endsWith('.whl')) {
    return 'is listed under wheels but is not a wheel: its name does not end in .whl';
  }
  if (hash === null || DIGEST.test(hash)) return null;
  return `has the hash ${JSON.stringify(hash.slice(0, 160))}, which is not a full digest by sha256, sha384, sha512 or blake2b in lower-case hexadecimal`;
}

/** The last segment of a file's URL or path, without parts that may contain a credential. */
function fileName({ url, path }: LockFile): string {
  const whole = (url ?? path ?? '').replace(/[?#].*$/s, '');
  return JSON.stringify(whole.slice(whole.lastIndexOf('/') + 1).slice(0, 255));
}

function verifyLocalFile(found: LockPackage, file: LockFile, input: Input, report: ReportFailure): void {
  const remedy = `put the wheel into ${WHEELHOUSE} and lock again`;
  // The installer prefers a URL over a path, so the path alone proves nothing.
  if (file.url !== null) {
    report(`the package ${found.name} of ${WHEELHOUSE} names the URL ${withoutUser(file.url)}`, remedy);
  } else if (file.path === null) report(`a file of the package ${found.name} of ${WHEELHOUSE} has no path`, remedy);
  else if (escapesFolder(file.path))
    report(`the path ${JSON.stringify(file.path)} of the package ${found.name} leaves ${WHEELHOUSE}`, remedy);
  else if (!input.wheelhouse.includes(file.path.replace(/^\.\//, ''))) {
    report(`the file ${JSON.stringify(file.path)} of the package ${found.name} is not in ${WHEELHOUSE}`, remedy);
  }
}

function escapesFolder(path: string): boolean {
  return /^\/|^[A-Za-z]:|\\|[\0-\x1f]|%/.test(path) || path.split('/').includes('..');
}

function verifyRemoteFile(
  found: LockPackage,
  file: LockFile,
  index: IndexAddress,
  input: Input,
  report: ReportFailure,
  fetching: Fetching,
): void {
  const remedy = 'lock again with uv lock from an index that serves its own files';
  if (file.path !== null) {
    report(`a file of the package ${found.name} is a local path, ${JSON.stringify(file.path)}`, remedy);
    return;
  }
  const start = prefix(file.url);
  if (start === null || !fetching.allowedPrefixes.has(start)) {
    const address = start === null ? null : addressOf(start);
    if (start === null || address === null) {
      report(`a file of the package ${found.name} has no URL that can be verified`, remedy);
      return;
    }
    if (!isAllowedHost(address, index, input)) {
      const hosts = 'the operator can allow its host in SVC_RUN__INDEX_FILE_HOSTS';
      const where = `lies on ${addressText(address)}, not on its index`;
      report(`a file of the package ${found.name} ${where}`, `${remedy}; ${hosts}`);
      return;
    }
    fetching.allowedPrefixes.add(start);
    fetching.addresses.set(addressText(address), address);
  }
  if (file.hash === null)
    report(`a file of the package ${found.name} has no hash: ${file.url}`, 'lock again with uv lock');
}

/** A URL up to its path; null if programs parse it differently or it contains a user name. */
function prefix(url: string | null): string | null {
  if (url === null || /[\\\s]/.test(url)) return null;
  const slashes = url.indexOf('//');
  const end = slashes === -1 ? -1 : url.indexOf('/', slashes + 2);
  const start = end === -1 ? url : url.slice(0, end + 1);
  return /@/.test(start.replace(/[?#].*$/s, '')) ? null : start;
}

const PUBLIC_HOST = new URL(PUBLIC_REGISTRY).host;

/**
 * Files may lie on the index's own scheme, host and port, on the file host of a public index, or on a host that the
 * operator allows (LOCK-5).
 */
function isAllowedHost(file: IndexAddress, index: IndexAddress, input: Input): boolean {
  if (addressText(file) === addressText(index)) return true;
  const plainHttps = file.scheme === 'https' && file.port === 443;
  if (index.host === PUBLIC_HOST && file.host === PUBLIC_FILE_HOST) return plainHttps;
  if (index.host === TEST_HOST && file.host === TEST_FILE_HOST) return plainHttps;
  const allowed = input.fileHosts.some(
    (host) => host.toLowerCase() === file.host || host.toLowerCase() === `${file.host}:${file.port}`,
  );
  return allowed && (file.scheme === 'https' || isLoopback(file.host));
}
