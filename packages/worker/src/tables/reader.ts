import {
  type Action,
  decide,
  type EffectiveGrant,
  namespacePath,
  narrowGrants,
  type ObjectScope,
  outsideScope,
  scopeOf,
  tableName,
} from '@svc/core/access';
import { splitAssetName } from '@svc/core/deploys';
import { sandboxOwner } from '@svc/core/queries';
import { listEffectiveGrants } from '@svc/db/access';
import type { ReadableTable } from '@svc/db/policies';
import { findTable } from '@svc/db/tables';
import type { Relation, RelationFailure, RequestedTable, Resolve } from '@svc/lake/queries';
import type { WorkerDeps } from '../work/deps.ts';
import { auditDenial, type RequestedBy } from '../work/events.ts';
import { type DevAssets, nameInDevNamespace } from './dev-assets.ts';
import { informationRelation, informationTable } from './information-schema.ts';
import { policiesOf } from './policies.ts';
import { type Reading, refusedVersion, relationOf } from './relations.ts';
import { onSearchPath } from './search-path.ts';

/** The principal that reads, and where. */
export interface Reader extends Reading {
  principalId: string;
  request: RequestedBy;
  /** For statements that run repeatedly: they read the current snapshots, never older versions. */
  currentOnly?: boolean;
  /** Whether denials are recorded (default: true). */
  recordsDenials?: boolean;
  /** The actions that the token of the principal carried at most when it submitted the statement (default: all). */
  tokenActions?: readonly Action[] | null;
  /** Of a run in a development namespace: the names of its assets mean the tables there that exist (DEPLOY-24). */
  dev?: DevAssets | null;
  /**
   * The namespaces in which names without one are looked up, in order. With it, a name may also start with that of the
   * environment (POSTGRES-9).
   */
  searchPath?: readonly string[] | null;
}

/** Resolves the tables in a statement with the reader's permissions, and records which were read. */
export interface TableReader {
  resolve: Resolve;
  /** As `resolve`, but names never mean tables in a development namespace: for the table that a statement changes. */
  resolveNamed: Resolve;
  /** The owner of the statements that a sandbox process serves. */
  owner: string;
  /** Ids of the tables read so far. */
  tableIds: Set<string>;
  /** These tables as they were when they were read, by their names in the statement in lower case. */
  found: Map<string, ReadableTable>;
  /** Records that the reader may not act on a table for another reason than a missing grant. */
  deny: (action: Action, table: { namespace: string; table: string }, reason: string) => Promise<void>;
  /** Tables that the reader was denied, by their name in the statement. */
  refused: Map<string, ObjectScope>;
  /** The principal's grants on the instance and everything in the environment, read once. */
  grants: () => Promise<readonly EffectiveGrant[]>;
}

/** Returns a replacement for a table's stored contents, such as rows that aren't committed yet. */
export type Override = (name: string) => Relation | undefined;

/**
 * Opens a reader, which decides with the principal's grants at the time that it resolves a table. A missing table and an
 * unreadable one both resolve to null, so the statement gets the same response. Denials are recorded, whether or not the
 * table exists.
 */
export function openReader(deps: WorkerDeps, reader: Reader, override: Override = () => undefined): TableReader {
  const { principalId, environment, tokenActions = null } = reader;
  const scope = tokenActions === null ? null : { environments: null, actions: tokenActions };
  let listed: Promise<readonly EffectiveGrant[]> | undefined;
  const grants = () => {
    const request = { principalId, environmentId: environment.id, now: deps.clock() };
    listed ??= listEffectiveGrants(deps.db.prisma, request).then((every) => narrowGrants(every, scope));
    return listed;
  };
  const tableIds = new Set<string>();
  const readable = new Map<string, ReadableTable>();
  const refused = new Map<string, ObjectScope>();
  const refuse = async (full: string, object: ObjectScope, reason: string | null) => {
    if (reader.recordsDenials !== false && !refused.has(full))
      await auditDenial(deps, reader, { action: 'READ_TABLE', object, reason });
    refused.set(full, object);
  };
  const resolveOne = async (
    { name, version }: RequestedTable,
    dev: DevAssets | null,
  ): Promise<Relation | RelationFailure | null> => {
    if (version !== null && reader.currentOnly) return refusedVersion(CURRENT_ONLY);
    const named = await tableMeant(deps, { ...reader, dev }, { name: name.join('.'), override });
    if (typeof named !== 'string') return named;
    const full = await onSearchPath(deps.db.prisma, { ...reader, grants }, named);
    const at = full.lastIndexOf('.');
    if (at <= 0) return null;
    const [namespace, table] = [full.slice(0, at), full.slice(at + 1)];
    // No table can have such a name, so there is no denial to record.
    if (!namespacePath.safeParse(namespace).success || !tableName.safeParse(table).success) return null;
    const object = scopeOf({ environment: environment.name, namespace, table });
    const now = deps.clock();
    const access = await deps.statements.findReadableTable({ environment, namespace, name: table, principalId, now });
    const decision = decide(narrowGrants(access.grants, scope), 'READ_TABLE', object);
    if (!decision.allowed) {
      await refuse(full, object, outsideScope(scope, 'READ_TABLE', object) ?? decision.reason);
      return null;
    }
    deps.statements.grantUses.note(decision.via, now);
    const found = access.table;
    if (found === null) return null;
    tableIds.add(found.id);
    readable.set(name.join('.').toLowerCase(), found);
    const relation = await relationOf(deps, reader, found, version);
    return relation === null || relation.kind === 'refused'
      ? relation
      : { ...relation, ...policiesOf(deps, reader, found) };
  };
  const resolveAny = async (table: RequestedTable, dev: DevAssets | null) => {
    const information = table.version === null ? informationTable(table.name) : null;
    if (information === null) return resolveOne(table, dev);
    const known = { environment, grants: await grants() };
    return informationRelation(deps.db.prisma, information, known);
  };
  const owner = sandboxOwner(environment.id, principalId, tokenActions);
  return {
    owner,
    resolve: (names) => Promise.all(names.map((name) => resolveAny(name, reader.dev ?? null))),
    resolveNamed: (names) => Promise.all(names.map((name) => resolveAny(name, null))),
    deny: (action, { namespace, table }, reason) => {
      const object = scopeOf({ environment: environment.name, namespace, table });
      return auditDenial(deps, reader, { action, object, reason });
    },
    tableIds,
    found: readable,
    refused,
    grants,
  };
}

/** The name of the table that a statement means, or its replacement. */
async function tableMeant(
  deps: WorkerDeps,
  { dev, environment }: Reader,
  { name, override }: { name: string; override: Override },
): Promise<string | Relation> {
  const inside = dev == null ? null : nameInDevNamespace(dev, name);
  const replacement = override((inside ?? name).toLowerCase());
  if (replacement !== undefined || inside === null) return replacement ?? name;
  const { namespace, table } = splitAssetName(inside)!;
  const built = await findTable(deps.db.prisma, { environmentId: environment.id, namespace, name: table });
  return built === null ? name : inside;
}

export const CURRENT_ONLY =
  'Assets and their checks read the current version of a table, because another version may no longer exist at the next build. Use AT (…) only with svc sql.';
