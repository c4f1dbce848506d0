import type { Principal } from '@svc/core/access';
import { containsText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { before, type Page, type PageRequest, pageOf } from '../paging/index.ts';
import { principalRecord, type StoredPrincipal } from './principals.ts';

/** Lists principals in the order, and with the search, of ACCESS-13. */
export async function listPrincipals(
  client: Transaction,
  { search, page }: { search: string; page: PageRequest },
): Promise<Page<Principal>> {
  const rows = await client.$queryRaw<StoredPrincipal[]>`
    SELECT id, name, type, active, created_at FROM principals
    WHERE deleted_at IS NULL ${search === '' ? Prisma.empty : Prisma.sql`AND ${containsText(Prisma.sql`name`, search)}`}
      ${before(page)}
    ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`;
  return pageOf(rows, page, principalRecord);
}
