import { invalid } from '@svc/core/errors';
import type { LoadMode } from '@svc/core/writes';

/** A merge needs the columns that identify a row; no other load has them. @throws ApiError `invalid` */
export function requireKey(
  { mode, key }: { mode: LoadMode; key?: readonly string[] | undefined },
  at: 'query' | 'body',
): void {
  const found = (key?.length ?? 0) > 0;
  if (found === (mode === 'merge')) return;
  const input = at === 'query' ? { parameter: 'key' } : { pointer: '/key' };
  throw invalid(input, found ? 'is only valid with mode merge' : 'is required with mode merge');
}
