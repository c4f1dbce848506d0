import type { IndexAddress } from './index-url.ts';

/** Where a URL leads, its user name aside; null for what is neither http nor https. */
export function addressOf(url: string): IndexAddress | null {
  const parts = /^(https?):\/\/(?:[^/?#]*@)?(\[[^\]/@]*\]|[^/:?#@]*)(?::(\d{1,5}))?(?:[/?#]|$)/i.exec(url);
  if (parts === null) return null;
  const scheme = parts[1]!.toLowerCase() as 'https' | 'http';
  return { scheme, host: parts[2]!.toLowerCase(), port: parts[3] ? Number(parts[3]) : scheme === 'https' ? 443 : 80 };
}

/** `https://host:443`: the form in which two addresses are compared. */
export function addressText(address: IndexAddress): string {
  return `${address.scheme}://${address.host}:${address.port}`;
}
