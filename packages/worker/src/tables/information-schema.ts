import { decide, type EffectiveGrant, scopeOf } from '@svc/core/access';
import type { Transaction } from '@svc/db/connection';
import { tablesOfEnvironment } from '@svc/db/tables';
import { INFORMATION_TABLES, type InformationTable, informationSql, type Relation } from '@svc/lake/queries';

/** The table of `information_schema` that a statement names, or null. */
export function informationTable(name: readonly string[]): InformationTable | null {
  if (name.length !== 2 || name[0]!.toLowerCase() !== 'information_schema') return null;
  return INFORMATION_TABLES.find((table) => table === name[1]!.toLowerCase()) ?? null;
}

/** A view of the namespaces, tables and columns that the reader may see. */
export async function informationRelation(
  client: Transaction,
  table: InformationTable,
  { environment, grants }: { environment: { id: string; name: string }; grants: readonly EffectiveGrant[] },
): Promise<Relation> {
  const all = await tablesOfEnvironment(client, environment.id);
  const mayRead = (namespace: string, name: string) =>
    decide(grants, 'READ_TABLE', scopeOf({ environment: environment.name, namespace, table: name })).allowed;
  const tables = all.tables.filter(({ namespace, name }) => mayRead(namespace, name));
  const known = new Set(tables.map(({ namespace }) => namespace));
  const namespaces = all.namespaces.filter(
    (namespace) =>
      known.has(namespace) ||
      decide(grants, 'READ_NAMESPACE', scopeOf({ environment: environment.name, namespace })).allowed,
  );
  return { kind: 'view', sql: informationSql(table, { environment: environment.name, namespaces, tables }) };
}
