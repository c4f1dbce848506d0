import type { Run, RunTrigger } from '@svc/core/runs';
import type { WorkStatus } from '@svc/core/writes';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { before, type Page, type PageRequest, pageOf } from '../paging/index.ts';
import { runRecord, SELECT_RUN, type StoredRun } from './stored-run.ts';

export async function findRun(client: Transaction, id: string): Promise<StoredRun | null> {
  const rows = await client.$queryRaw<StoredRun[]>`${SELECT_RUN} WHERE x.id = ${id}::uuid`;
  return rows[0] ?? null;
}

export interface RunFilter {
  environmentId: string;
  repositoryId?: string | undefined;
  statuses?: readonly WorkStatus[] | undefined;
  triggers?: readonly RunTrigger[] | undefined;
  job?: string | undefined;
  since?: Date | undefined;
}

/** Runs, newest first, ties by id; the filters combine with AND. */
export async function listRuns(
  client: Transaction,
  { filter, page }: { filter: RunFilter; page: PageRequest },
): Promise<Page<Run>> {
  const { environmentId, repositoryId, statuses, triggers, job, since } = filter;
  const rows = await client.$queryRaw<StoredRun[]>`
    ${SELECT_RUN} WHERE x.environment_id = ${environmentId}::uuid
      ${repositoryId === undefined ? Prisma.empty : Prisma.sql`AND x.repository_id = ${repositoryId}::uuid`}
      ${statuses === undefined ? Prisma.empty : Prisma.sql`AND x.status = ANY(${[...statuses]}::text[])`}
      ${triggers === undefined ? Prisma.empty : Prisma.sql`AND x.trigger = ANY(${[...triggers]}::text[])`}
      ${job === undefined ? Prisma.empty : Prisma.sql`AND x.job = ${job}`}
      ${since === undefined ? Prisma.empty : Prisma.sql`AND x.created_at >= ${since}`}
      ${before(page, 'x.created_at', 'x.id')}
    ORDER BY x.created_at DESC, x.id DESC LIMIT ${page.limit + 1}`;
  return pageOf(rows, page, runRecord);
}
