import { nameKey } from '@svc/core/access';
import { splitAssetName } from '@svc/core/deploys';
import { Prisma } from '../generated/client.ts';

/** The tables `t` in namespaces `n` that have these qualified names, as an item of FROM. */
export function namedTablesSql(environmentId: string, names: readonly string[]): Prisma.Sql {
  const parts = [...new Set(names.map(nameKey))].flatMap((name) => splitAssetName(name) ?? []);
  const paths = parts.map(({ namespace }) => namespace);
  const tables = parts.map(({ table }) => table);
  return Prisma.sql`unnest(${paths}::text[], ${tables}::text[]) AS k(path_key, name_key)
    JOIN namespaces n ON n.environment_id = ${environmentId}::uuid AND n.path_key = k.path_key AND n.dropped_at IS NULL
    JOIN tables t ON t.namespace_id = n.id AND t.name_key = k.name_key AND t.dropped_at IS NULL`;
}
