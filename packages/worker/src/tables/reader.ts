import { decide, type HeldGrant, namespacePath, type ObjectScope, scopeOf, tableName } from '@svc/core/access';
import { heldGrants } from '@svc/db/access';
import { bindingPolicies } from '@svc/db/policies';
import { findTable, type StoredTable } from '@svc/db/tables';
import type { Relation, Resolve } from '@svc/lake/queries';
import { listExternalFiles } from '@svc/lake/writes';
import type { WorkerDeps } from '../work/deps.ts';
import { type AskedBy, auditRefusal } from '../work/events.ts';
import { readTableScan } from './metadata-cache.ts';

/** Who reads, and where. */
export interface Reader {
  principalId: string;
  environment: { id: string; name: string };
  request: AskedBy;
}

/** Resolves the tables a statement names as the reader may see them, and remembers which were read. */
export interface TableReader {
  resolve: Resolve;
  /** On whose behalf a process of the sandbox serves its statements. */
  owner: string;
  /** Ids of the tables read so far. */
  tableIds: Set<string>;
  /** What it may not read, by the name as the statement has it. */
  refused: Map<string, ObjectScope>;
  /** The grants its principal held when it was opened. */
  held: Promise<readonly HeldGrant[]>;
}

/** Gives what stands for a table in place of its stored contents, such as rows not committed yet. */
export type Override = (name: string) => Relation | undefined;

/**
 * A reader with the grants that its principal holds now. A missing table and one it may not read are both null: the
 * statement is answered alike. What it may not read is recorded, whether it exists or not.
 */
export function openReader(deps: WorkerDeps, reader: Reader, override: Override = () => undefined): TableReader {
  const held = heldGrants(deps.db.prisma, {
    principalId: reader.principalId,
    environmentId: reader.environment.id,
  });
  // Known to fail only to who asks for them: a statement may be refused before.
  held.catch(() => undefined);
  const tableIds = new Set<string>();
  const refused = new Map<string, ObjectScope>();
  const resolveOne = async (name: readonly string[]): Promise<Relation | null> => {
    const full = name.join('.');
    const instead = override(full.toLowerCase());
    if (instead !== undefined) return instead;
    const at = full.lastIndexOf('.');
    if (at <= 0) return null;
    const [namespace, table] = [full.slice(0, at), full.slice(at + 1)];
    // A name that no table can have is refused to nobody.
    if (!namespacePath.safeParse(namespace).success || !tableName.safeParse(table).success) return null;
    const scope = scopeOf({ environment: reader.environment.name, namespace, table });
    const { allowed, reason } = decide(await held, 'READ_TABLE', scope);
    if (!allowed) {
      if (!refused.has(full)) await auditRefusal(deps, reader, { action: 'READ_TABLE', object: scope, reason });
      refused.set(full, scope);
      return null;
    }
    const found = await findTable(deps.db.prisma, { environmentId: reader.environment.id, namespace, name: table });
    if (found === null) return null;
    tableIds.add(found.id);
    const [relation, policies] = await Promise.all([
      relationOf(deps, found),
      bindingPolicies(deps.db.prisma, { tableId: found.id, principalId: reader.principalId }),
    ]);
    return relation === null ? null : { ...relation, ...policies };
  };
  const owner = `${reader.environment.id} ${reader.principalId}`;
  return { owner, resolve: (names) => Promise.all(names.map(resolveOne)), tableIds, refused, held };
}

async function relationOf(deps: WorkerDeps, table: StoredTable): Promise<Relation | null> {
  switch (table.kind) {
    case 'managed': {
      if (table.metadata_location === null) return null;
      const { schema, files } = await readTableScan(deps.store, table.metadata_location);
      return { kind: 'managed', fields: schema.fields, files };
    }
    case 'view':
      return { kind: 'view', sql: table.view_sql! };
    case 'external': {
      const locations = await listExternalFiles(table.location!, table.format!, deps.settings.externalLocations);
      return { kind: 'external', format: table.format!, locations, columns: table.columns };
    }
    case 'artifact':
      return null;
  }
}
