/**
 * The page of the console to show after the sign-in. Anything that another page could have put into the address and that leads
 * to another host is replaced by the first page.
 */
export function returnPath(to: unknown): string {
  if (typeof to !== 'string' || !/^\/(?![/\\])/.test(to)) return '/';
  const base = 'http://console.invalid';
  const url = URL.canParse(to, base) ? new URL(to, base) : null;
  if (url === null || url.origin !== base || url.pathname === '/sign-in') return '/';
  return url.pathname + url.search + url.hash;
}
