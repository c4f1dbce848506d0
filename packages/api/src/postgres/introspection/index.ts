import { type QueryParams, sandboxOwner } from '@svc/core/queries';
import {
  describeQuery,
  type InlineRows,
  type QueryError,
  type Relation,
  type RequestedTable,
  type Resolve,
  type ResultColumn,
  runQuery,
} from '@svc/lake/queries';
import type { ApiDeps } from '../../http/deps.ts';
import { callsOnlyCatalog, mayReadCatalog } from './catalog-terms.ts';
import { type CatalogFacts, readFacts } from './facts.ts';
import { INFORMATION_VIEWS } from './information-schema/index.ts';
import type { CatalogRelation } from './relation.ts';
import { needsTables, PG_RELATIONS } from './relations/index.ts';
import type { CatalogSession } from './session.ts';

export { mayReadCatalog } from './catalog-terms.ts';
export type { CatalogSession } from './session.ts';

export type CatalogOutcome =
  | { readonly kind: 'not-catalog' }
  | {
      readonly kind: 'rows';
      readonly columns: readonly ResultColumn[];
      /** Up to 1000 rows; otherwise null, and the rows are in a Parquet file. */
      readonly rows: readonly (readonly unknown[])[] | null;
      /** The file in the store, which the caller removes. */
      readonly location: string | null;
    }
  | { readonly kind: 'failed'; readonly error: QueryError };

export type CatalogDescription =
  | { readonly kind: 'not-catalog' }
  | {
      readonly kind: 'described';
      readonly columns: readonly ResultColumn[];
      /** The engine's types of its parameters, in order. */
      readonly parameterTypes: readonly string[];
    }
  | { readonly kind: 'failed'; readonly error: QueryError };

export interface CatalogRequest {
  readonly sql: string;
  readonly params: QueryParams | null;
  readonly signal: AbortSignal;
}

type CatalogDeps = Pick<ApiDeps, 'db' | 'store' | 'sandbox' | 'version' | 'clock' | 'newId'>;

/** Milliseconds for a statement that reads no table. */
const MAX_MS = 60_000;

/** The statement is about something else than the catalog. */
class NotCatalogError extends Error {}

/**
 * Answers a statement that reads only PostgreSQL's catalog or the session, in the sandbox of the caller's queries. It reads
 * no table, so it needs no record.
 */
export async function answerCatalog(
  deps: CatalogDeps,
  session: CatalogSession,
  { sql, params, signal }: CatalogRequest,
): Promise<CatalogOutcome> {
  if (!mayReadCatalog(sql)) return { kind: 'not-catalog' };
  const location = `${deps.store.root}/results/catalog-${deps.newId()}.parquet`;
  return catalogOnly(async () => {
    const outcome = await runQuery(deps.sandbox, {
      ...requestOf(deps, session, { sql, params, signal }),
      output: { kind: 'result', location },
      cache: false,
      limits: { timeoutMs: Math.min(deps.sandbox.options.timeoutMs, MAX_MS) },
      beforeRun: ({ tables, usesCatalog }) => {
        if (tables.length === 0 && !usesCatalog && !callsOnlyCatalog(sql)) throw new NotCatalogError();
      },
    });
    if (!outcome.ok) return { kind: 'failed', error: outcome.error };
    const { columns, rows, stored } = outcome;
    // A result of few rows with many bytes is complete in its file only.
    return { kind: 'rows', columns, rows, location: stored ? location : null };
  });
}

/** The columns of such a statement, and the types of its parameters. */
export async function describeCatalog(
  deps: CatalogDeps,
  session: CatalogSession,
  { sql, signal }: Omit<CatalogRequest, 'params'>,
): Promise<CatalogDescription> {
  if (!mayReadCatalog(sql)) return { kind: 'not-catalog' };
  return catalogOnly(async () => {
    const outcome = await describeQuery(deps.sandbox, requestOf(deps, session, { sql, params: 'unbound', signal }));
    if (!outcome.ok) return { kind: 'failed', error: outcome.error };
    const { columns, parameterTypes, tables, usesCatalog } = outcome;
    const isCatalog = tables.length > 0 || usesCatalog || callsOnlyCatalog(sql);
    return isCatalog ? { kind: 'described', columns, parameterTypes } : { kind: 'not-catalog' };
  });
}

async function catalogOnly<R>(work: () => Promise<R>): Promise<R | { readonly kind: 'not-catalog' }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotCatalogError) return { kind: 'not-catalog' };
    throw error;
  }
}

function requestOf(
  deps: CatalogDeps,
  session: CatalogSession,
  { sql, params, signal }: Omit<CatalogRequest, 'params'> & { readonly params: QueryParams | 'unbound' | null },
) {
  const { environment, caller } = session;
  // The worker's queries of the same principal have the same owner.
  const owner = sandboxOwner(environment.id, caller.id, session.tokenActions);
  return { sql, params, dialect: 'catalog', owner, signal, resolve: resolver(deps, session) } as const;
}

function resolver(deps: CatalogDeps, session: CatalogSession): Resolve {
  let [plain, full]: (Promise<CatalogFacts> | undefined)[] = [];
  const factsFor = (withTables: boolean): Promise<CatalogFacts> => {
    const read = () => readFacts(deps, session, { started: startOf(deps), withTables });
    if (withTables) {
      full ??= read();
      return full;
    }
    plain ??= read();
    return plain;
  };
  return async (tables: readonly RequestedTable[]) => {
    const found = tables.map(({ name, version }) => (version === null ? relationNamed(name, session) : null));
    if (found.includes(null)) throw new NotCatalogError();
    return Promise.all(
      found.map(async (named): Promise<Relation> => {
        const rows: InlineRows = named!.build(await factsFor(named!.needsTables));
        return { kind: 'rows', ...rows };
      }),
    );
  };
}

const starts = new WeakMap<CatalogDeps['sandbox'], Date>();

/** The time of the first statement of this process counts as its start. */
function startOf({ sandbox, clock }: CatalogDeps): Date {
  const start = starts.get(sandbox) ?? clock();
  starts.set(sandbox, start);
  return start;
}

interface NamedRelation {
  readonly build: CatalogRelation;
  readonly needsTables: boolean;
}

/** The relation of the catalog that a name means: without a schema, one of pg_catalog. */
function relationNamed(name: readonly string[], { environment }: CatalogSession): NamedRelation | null {
  const parts = name.map((part) => part.toLowerCase());
  const [schema, table] = parts.length === 1 ? ['pg_catalog', parts[0]!] : [parts.at(-2)!, parts.at(-1)!];
  if (parts.length > 3 || (parts.length === 3 && parts[0] !== environment.name)) return null;
  if (schema === 'information_schema') {
    const build = INFORMATION_VIEWS.get(table);
    return build === undefined ? null : { build, needsTables: true };
  }
  const build = schema === 'pg_catalog' ? PG_RELATIONS.get(table) : undefined;
  return build === undefined ? null : { build, needsTables: needsTables(table) };
}
