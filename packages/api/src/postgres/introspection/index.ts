// temporary until merged
import type { EffectiveGrant } from '@svc/core/access';
import type { QueryParams } from '@svc/core/queries';
import type { QueryError, ResultColumn } from '@svc/lake/queries';
import type { ApiDeps } from '../../http/deps.ts';
export interface CatalogSession {
  readonly caller: { id: string; name: string };
  readonly environment: { id: string; name: string };
  readonly grants: readonly EffectiveGrant[];
  readonly searchPath: readonly string[];
  readonly settings: ReadonlyMap<string, string>;
  readonly pid: number;
  readonly address: string | null;
}
export type CatalogOutcome =
  | { kind: 'not-catalog' }
  | {
      kind: 'rows';
      columns: readonly ResultColumn[];
      rows: readonly (readonly unknown[])[] | null;
      location: string | null;
    }
  | { kind: 'failed'; error: QueryError };
export type CatalogDescription =
  | { kind: 'not-catalog' }
  | { kind: 'described'; columns: readonly ResultColumn[]; parameterTypes: readonly string[] }
  | { kind: 'failed'; error: QueryError };
type Req = { sql: string; params: QueryParams | null; signal: AbortSignal };
export const mayReadCatalog = (_sql: string): boolean => false;
export async function answerCatalog(_d: ApiDeps, _s: CatalogSession, _r: Req): Promise<CatalogOutcome> {
  return { kind: 'not-catalog' };
}
export async function describeCatalog(_d: ApiDeps, _s: CatalogSession, _r: Req): Promise<CatalogDescription> {
  return { kind: 'not-catalog' };
}
