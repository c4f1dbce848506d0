import { isLoopback, isMetadataHost } from '../addresses/index.ts';

const MAX_LENGTH = 1024;

/**
 * Why a text can't be the issuer of a provider (SSO-2); null if it can. It is stored as it is written, because tokens are compared with
 * it.
 */
export function issuerFailure(text: string): string | null {
  if (text.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || text.includes('\\') || !URL.canParse(text))
    return 'must be the URL of the issuer, such as https://id.example.com';
  const url = new URL(text);
  const host = url.hostname;
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
  if (/[?#]/.test(text)) return 'must not contain "?" or "#"';
  if (url.href !== text && url.href !== `${text}/`)
    return `must be written in normal form: ${url.pathname === '/' ? url.origin : url.href}`;
  if (isMetadataHost(host)) return `must not be a link-local or metadata address: ${host}`;
  if (url.protocol === 'http:' && !isLoopback(host.replace(/^\[|\]$/g, '')))
    return 'must start with https://; http:// is for localhost and loopback addresses only';
  return null;
}
