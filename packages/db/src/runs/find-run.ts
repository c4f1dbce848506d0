import type { RunTrigger } from '@svc/core/runs';
import { isFinished, type WorkStatus } from '@svc/core/writes';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { idsOf, type Page, type PageRequest, pageOf } from '../paging/index.ts';
import { SELECT_RUN, type StoredRun } from './stored-run.ts';

export async function findRun(client: Transaction, id: string): Promise<StoredRun | null> {
  const rows = await client.$queryRaw<StoredRun[]>`${SELECT_RUN} WHERE x.id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** The runs that retried a run, newest first. */
export async function findRetries(
  client: Transaction,
  { id, limit }: { id: string; limit: number },
): Promise<string[]> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs WHERE retry_of = ${id}::uuid ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
  return rows.map((row) => row.id);
}

export interface RunScope {
  environmentId: string;
  repositoryId?: string | undefined;
  job?: string | undefined;
}

export interface RunFilter extends RunScope {
  statuses?: readonly WorkStatus[] | undefined;
  triggers?: readonly RunTrigger[] | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** Lists runs, newest first, ties by id (RUN-3). Filters combine with AND. */
export async function listRuns(
  client: Transaction,
  { filter, page }: { filter: RunFilter; page: PageRequest },
): Promise<Page<StoredRun>> {
  if (filter.statuses?.length === 0 || filter.triggers?.length === 0) return { items: [], next: null };
  const rows = await client.$queryRaw<StoredRun[]>`
    ${SELECT_RUN} WHERE x.id IN (${idsOf(page, partsOf(filter))}) ORDER BY x.created_at DESC, x.id DESC`;
  return pageOf(rows, page, (row) => row);
}

/** Whether active runs, finished runs or both can have the status; they have separate indexes. */
const statesOf = (status: WorkStatus | null): Prisma.Sql[] => {
  const [active, finished] = [Prisma.sql`AND ended_at IS NULL`, Prisma.sql`AND ended_at IS NOT NULL`];
  if (status === null) return [active, finished];
  return [Prisma.sql`${isFinished({ status }) ? finished : active} AND status = ${status}`];
};

/** The runs of an environment, a project or a job. */
export const rowsOf = ({ environmentId, repositoryId, job }: RunScope): Prisma.Sql =>
  Prisma.sql`FROM runs WHERE environment_id = ${environmentId}::uuid
    ${repositoryId === undefined ? Prisma.empty : Prisma.sql`AND repository_id = ${repositoryId}::uuid`}
    ${job === undefined ? Prisma.empty : Prisma.sql`AND job = ${job}`}`;

/** One part for each combination of a requested status and trigger. */
function partsOf({ statuses, triggers, since, until, ...scope }: RunFilter): Prisma.Sql[] {
  const rows = Prisma.sql`${rowsOf(scope)}
    ${since === undefined ? Prisma.empty : Prisma.sql`AND created_at >= ${since}`}
    ${until === undefined ? Prisma.empty : Prisma.sql`AND created_at < ${until}`}`;
  return eachOf(statuses)
    .flatMap(statesOf)
    .flatMap((state) =>
      eachOf(triggers).map(
        (trigger) => Prisma.sql`${rows} ${state}
          ${trigger === null ? Prisma.empty : Prisma.sql`AND trigger = ${trigger}`}`,
      ),
    );
}

/** The distinct values of a filter, or a single null if the filter matches everything. */
const eachOf = <T>(values: readonly T[] | undefined): (T | null)[] =>
  values === undefined ? [null] : [...new Set(values)];
