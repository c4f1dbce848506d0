import { BOUND } from '@svc/core/policies';
import { isBound, type Relation, type RelationFailure, type RequestedTable } from '@svc/lake/queries';
import type { WorkerDeps } from '../work/deps.ts';
import { informationTable } from './information-schema.ts';
import { openReader, type Reader, type TableReader } from './reader.ts';

type Resolved = Relation | RelationFailure | null;

const notAllowed = (message: string): RelationFailure => ({ kind: 'refused', code: 'not-allowed', message });

/**
 * Opens a reader that resolves tables as another principal sees them, for a viewer who sees no more than both may see (ACCESS-30): the
 * viewer must be able to read each table with no policy on it, those below a view included.
 *
 * @param viewer the principal that requested the preview
 * @param subject whose permissions and policies apply
 */
export function openPreviewReader(
  deps: WorkerDeps,
  viewer: Reader,
  subject: { principal_id: string; principal: string },
): TableReader {
  const { environment, request, throughCatalog = false } = viewer;
  const own = openReader(deps, viewer);
  const theirs = openReader(deps, {
    ...{ principalId: subject.principal_id, environment, request, throughCatalog },
    // The principal requested nothing.
    recordsDenials: false,
  });
  const combined = async ({ name }: RequestedTable, mine: Resolved, shown: Resolved): Promise<Resolved> => {
    const full = name.join('.');
    if (informationTable(name) !== null)
      return notAllowed(`A preview doesn't read ${full}, which shows each principal other objects.`);
    if (mine === null || mine.kind === 'refused') return mine;
    if (isBound(mine)) {
      await own.deny('READ_TABLE', { namespace: name.slice(0, -1).join('.'), table: name.at(-1)! }, BOUND);
      return notAllowed(`A row filter or column mask on ${full} applies to you, so you can't see it as others do.`);
    }
    return shown ?? notAllowed(`${subject.principal} doesn't have READ_TABLE on ${full}.`);
  };
  const resolve = async (tables: readonly RequestedTable[]) => {
    const [mine, shown] = await Promise.all([own.resolve(tables), theirs.resolve(tables)]);
    return Promise.all(tables.map((table, at) => combined(table, mine[at] ?? null, shown[at] ?? null)));
  };
  return {
    ...own,
    // A process that serves statements of the viewer must not serve these.
    owner: `${own.owner} as ${subject.principal_id}`,
    resolve,
    resolveNamed: resolve,
  };
}
