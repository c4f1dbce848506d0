import { decide, type EffectiveGrant, scopeOf } from '@svc/core/access';
import { splitAssetName } from '@svc/core/deploys';
import type { Transaction } from '@svc/db/connection';
import { findTable } from '@svc/db/tables';

/** Where names without a namespace are looked up, and by whom. */
export interface SearchPathReader {
  environment: { id: string; name: string };
  /** Called only for names that may mean several tables. */
  grants: () => Promise<readonly EffectiveGrant[]>;
  /** In order of precedence. Without it, every name has its namespace. */
  searchPath?: readonly string[] | null;
}

/**
 * The full name of the table that a name means: the first one that the reader may read, so that a table that the reader can't
 * see never hides another one. Otherwise the first one that it may mean.
 */
export async function onSearchPath(
  client: Transaction,
  { environment, grants, searchPath }: SearchPathReader,
  name: string,
): Promise<string> {
  if (searchPath == null) return name;
  const candidates = meanings(name, environment.name, searchPath);
  if (candidates.length === 1) return candidates[0]!;
  const known = await grants();
  for (const candidate of candidates) {
    const parts = splitAssetName(candidate);
    if (parts === null) continue;
    const { namespace, table } = parts;
    const scope = scopeOf({ environment: environment.name, namespace, table });
    if (!decide(known, 'READ_TABLE', scope).allowed) continue;
    if ((await findTable(client, { environmentId: environment.id, namespace, name: table })) !== null) return candidate;
  }
  return candidates[0] ?? name;
}

/** `env.ns.t` means `ns.t` if there is no namespace `env.ns`. */
function meanings(name: string, environment: string, searchPath: readonly string[]): string[] {
  if (!name.includes('.')) return searchPath.map((namespace) => `${namespace}.${name}`);
  const prefix = `${environment}.`;
  const rest = name.slice(prefix.length);
  return name.toLowerCase().startsWith(prefix.toLowerCase()) && rest.includes('.') ? [name, rest] : [name];
}
