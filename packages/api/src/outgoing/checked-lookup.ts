import type { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** A lookup for a connection, which leads to allowed addresses only. It fails with `refused` if a name has no others. */
export function checkedLookup(
  lookup: typeof systemLookup,
  { allowed, refused }: { allowed: (ip: string) => boolean; refused: () => Error },
): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '');
      const usable = found.filter(({ address }) => allowed(address));
      const [first] = usable;
      if (first === undefined) done(refused(), '');
      else if (options.all) done(null, usable);
      else done(null, first.address, first.family);
    });
  };
}
