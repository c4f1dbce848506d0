import type { IndexAddress } from './index-url.ts';

/** The scheme, host and port of a URL, ignoring a user name; null unless the scheme is http or https. */
export function addressOf(url: string): IndexAddress | null {
  const parts = /^(https?):\/\/(?:[^/?#]*@)?(\[[^\]/@]*\]|[^/:?#@]*)(?::(\d{1,5}))?(?:[/?#]|$)/i.exec(url);
  if (parts === null) return null;
  const scheme = parts[1]!.toLowerCase() as 'https' | 'http';
  return { scheme, host: parts[2]!.toLowerCase(), port: parts[3] ? Number(parts[3]) : scheme === 'https' ? 443 : 80 };
}

/** An address in the form used for comparison: `https://host:443`. */
export function addressText(address: IndexAddress): string {
  return `${address.scheme}://${address.host}:${address.port}`;
}
