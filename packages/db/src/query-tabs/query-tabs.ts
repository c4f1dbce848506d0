import { ApiError } from '@svc/core/errors';
import { MAX_QUERY_TABS, type QueryTab } from '@svc/core/query-tabs';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

type StoredTab = Omit<QueryTab, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date };

/** Whose tabs: every statement names it, so nobody reaches those of someone else. */
interface Owner {
  readonly environmentId: string;
  readonly ownerId: string;
}

type Fields = Omit<QueryTab, 'created_at' | 'updated_at'>;

const COLUMNS = Prisma.sql`id, version, title, sql_text, parameters, query_id, saved_query_id, saved_query_version, chart, created_at, updated_at`;

const ownedBy = ({ environmentId, ownerId }: Owner) =>
  Prisma.sql`environment_id = ${environmentId}::uuid AND owner_id = ${ownerId}::uuid`;

/** Lists the tabs of a principal, oldest first. */
export async function listQueryTabs(client: Transaction, owner: Owner): Promise<QueryTab[]> {
  const rows = await client.$queryRaw<StoredTab[]>`
    SELECT ${COLUMNS} FROM query_tabs WHERE ${ownedBy(owner)} ORDER BY created_at, id`;
  return rows.map(recordOf);
}

export async function findQueryTab(
  client: Transaction,
  { id, ...owner }: Owner & { id: string },
): Promise<QueryTab | null> {
  const [row] = await client.$queryRaw<StoredTab[]>`
    SELECT ${COLUMNS} FROM query_tabs WHERE ${ownedBy(owner)} AND id = ${id}::uuid`;
  return row === undefined ? null : recordOf(row);
}

/**
 * Creates the tab if its version is 0, and replaces it otherwise. Returns null if there is no tab to replace.
 *
 * @throws ApiError `version-conflict`, `limit-reached`
 */
export async function saveQueryTab(
  client: Transaction,
  owner: Owner,
  tab: Fields & { now: Date },
): Promise<QueryTab | null> {
  const [row] = await (tab.version === 0 ? insert(client, owner, tab) : update(client, owner, tab));
  if (row !== undefined) return recordOf(row);
  if ((await findQueryTab(client, { ...owner, id: tab.id })) !== null) throw conflict();
  return null;
}

async function insert(client: Transaction, owner: Owner, tab: Fields & { now: Date }): Promise<StoredTab[]> {
  // Tabs that are created at the same time wait for each other, so that the limit holds.
  await client.$queryRaw`SELECT id FROM principals WHERE id = ${owner.ownerId}::uuid FOR NO KEY UPDATE`;
  const others = await client.$queryRaw<{ id: string }[]>`SELECT id FROM query_tabs WHERE ${ownedBy(owner)}`;
  if (others.length >= MAX_QUERY_TABS && !others.some(({ id }) => id === tab.id))
    throw new ApiError(
      'limit-reached',
      `You have ${others.length} query tabs in this environment, and at most ${MAX_QUERY_TABS} are possible.`,
    );
  return client.$queryRaw<StoredTab[]>`
    INSERT INTO query_tabs (environment_id, owner_id, id, version, title, sql_text, parameters, query_id, saved_query_id,
      saved_query_version, chart, created_at, updated_at)
    VALUES (${owner.environmentId}::uuid, ${owner.ownerId}::uuid, ${tab.id}::uuid, 1, ${tab.title}, ${tab.sql_text},
      ${jsonText(tab.parameters)}::jsonb, ${tab.query_id}::uuid, ${tab.saved_query_id}::uuid,
      ${tab.saved_query_version}::int, ${chartText(tab)}::jsonb, ${tab.now}, ${tab.now})
    ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`;
}

const update = (client: Transaction, owner: Owner, tab: Fields & { now: Date }): Promise<StoredTab[]> =>
  client.$queryRaw<StoredTab[]>`
    UPDATE query_tabs SET version = version + 1, title = ${tab.title}, sql_text = ${tab.sql_text},
      parameters = ${jsonText(tab.parameters)}::jsonb, query_id = ${tab.query_id}::uuid,
      saved_query_id = ${tab.saved_query_id}::uuid, saved_query_version = ${tab.saved_query_version}::int,
      chart = ${chartText(tab)}::jsonb, updated_at = ${tab.now}
    WHERE ${ownedBy(owner)} AND id = ${tab.id}::uuid AND version = ${tab.version} RETURNING ${COLUMNS}`;

const chartText = ({ chart }: Fields): string | null => (chart === null ? null : jsonText(chart));

const conflict = (): ApiError =>
  new ApiError('version-conflict', 'The query tab has changed since you read it, for example in another browser.');

/** Returns whether there was such a tab. @throws ApiError `version-conflict` */
export async function deleteQueryTab(
  client: Transaction,
  { id, version, ...owner }: Owner & { id: string; version: number },
): Promise<boolean> {
  const deleted = await client.$executeRaw`
    DELETE FROM query_tabs WHERE ${ownedBy(owner)} AND id = ${id}::uuid AND version = ${version}`;
  if (deleted === 0 && (await findQueryTab(client, { ...owner, id })) !== null) throw conflict();
  return deleted > 0;
}

const recordOf = ({ created_at, updated_at, ...tab }: StoredTab): QueryTab => ({
  ...tab,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});
