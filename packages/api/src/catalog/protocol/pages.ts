import { badRequest } from '@svc/core/catalog';
import { makeCursor, readCursor } from '../../http/response/cursors.ts';
import type { CatalogContext } from './context.ts';

/** Rows read per batch when the whole list is requested. */
const BATCH = 10_000;
const LARGEST_PAGE = 1000;
/** Without a token, the whole list is returned, so the first page needs an empty one. */
const PAGE_TOKEN = { parameter: 'pageToken', restart: 'Set it to an empty value to start from the first page.' };

export interface Listed {
  names: string[];
  next: string | null;
}

/**
 * A page if `pageToken` is given, even an empty one; otherwise the whole list.
 * @param read returns the names strictly after the given one, up to a limit
 */
export async function readPage(
  ctx: CatalogContext,
  read: (after: string | null, limit: number) => Promise<string[]>,
): Promise<Listed> {
  const { pageToken, pageSize, ...filters } = ctx.query;
  if (pageToken === undefined) return { names: await readAll(read), next: null };
  const size = sizeOf(pageSize);
  const binding = { list: `catalog ${ctx.req.path}`, filters };
  const key = ctx.deps.keys.cursor;
  const after = pageToken === '' ? null : (readCursor(key, binding, pageToken, PAGE_TOKEN) as string);
  const names = await read(after, size + 1);
  const page = names.slice(0, size);
  return { names: page, next: names.length > size ? makeCursor(key, binding, page.at(-1)) : null };
}

function sizeOf(pageSize: string | undefined): number {
  if (pageSize === undefined) return LARGEST_PAGE;
  if (!/^[1-9]\d{0,8}$/.test(pageSize)) throw badRequest('pageSize must be a positive number.');
  return Math.min(Number(pageSize), LARGEST_PAGE);
}

async function readAll(read: (after: string | null, limit: number) => Promise<string[]>): Promise<string[]> {
  const names: string[] = [];
  for (let after: string | null = null; ; ) {
    const batch = await read(after, BATCH);
    for (const name of batch) names.push(name);
    if (batch.length < BATCH) return names;
    after = batch.at(-1)!;
  }
}
