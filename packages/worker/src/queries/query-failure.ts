import { decide, scopeOf } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import { nearestName } from '@svc/core/nearest-name';
import { tablesNamedAlike } from '@svc/db/tables';
import { type QueryError, withSimilarTable } from '@svc/lake/queries';
import { failureOf } from '../work/failures.ts';
import { type QueryWork, requesterOf } from './finish-query.ts';

/** The failure of a query. That of a missing table names a similar one, if the submitter can read one. */
export async function queryFailure(work: QueryWork, error: QueryError): Promise<Failure> {
  const similar = error.table === undefined ? null : await similarTable(work, error.table);
  return failureOf(similar === null ? error : withSimilarTable(error, similar), requesterOf(work));
}

async function similarTable({ deps, environment, reader }: QueryWork, missing: string): Promise<string | null> {
  const alike = await tablesNamedAlike(deps.db.prisma, { environmentId: environment.id, name: missing });
  if (alike.length === 0) return null;
  const grants = await reader.grants();
  const readable = alike
    .filter(({ namespace, name }) => {
      const object = scopeOf({ environment: environment.name, namespace, table: name });
      return decide(grants, 'READ_TABLE', object).allowed;
    })
    .map(({ namespace, name }) => ({ name, full: `${namespace}.${name}` }))
    .filter(({ full }) => full.toLowerCase() !== missing.toLowerCase());
  const own = missing.slice(missing.lastIndexOf('.') + 1).toLowerCase();
  const near = nearestName(
    missing,
    readable.map(({ full }) => full),
  );
  return near ?? readable.find(({ name }) => name.toLowerCase() === own)?.full ?? null;
}
