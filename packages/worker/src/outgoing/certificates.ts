import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The certificates that `SSL_CERT_FILE` and `SSL_CERT_DIR` name, which replace the built-in ones; undefined if unset. */
export function certificatesOf({ SSL_CERT_FILE: file, SSL_CERT_DIR: folder }: Readonly<Record<string, string>>) {
  if (!file && !folder) return undefined;
  const inFolder = folder ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [...(file ? [file] : []), ...inFolder].map((path) => readFileSync(path, 'utf8'));
}
