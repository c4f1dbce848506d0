import type { Action, EffectiveGrant } from '@svc/core/access';

/** The session of a client, as far as the catalog shows it. */
export interface CatalogSession {
  readonly caller: { readonly id: string; readonly name: string };
  readonly environment: { readonly id: string; readonly name: string };
  readonly grants: readonly EffectiveGrant[];
  /** The actions that its token carries at most; null: all. */
  readonly tokenActions: readonly Action[] | null;
  /** Namespaces in which names without a schema are searched. */
  readonly searchPath: readonly string[];
  readonly settings: ReadonlyMap<string, string>;
  readonly pid: number;
  /** The client's address, if it is known. */
  readonly address: string | null;
}
