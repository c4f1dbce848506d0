import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Makes a certificate that signs itself.
 * @param names such as `DNS:localhost`, separated by commas
 * @returns its path, and both files as servers need them
 */
export async function makeCertificate(
  folder: string,
  names: string,
): Promise<{ path: string; key: Buffer; cert: Buffer }> {
  const [key, path] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${names}`];
  await promisify(execFile)('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', path]);
  return { path, key: readFileSync(key), cert: readFileSync(path) };
}
