import type { Action } from '@svc/core/access';
import { findLocationOwners } from '@svc/db/catalog';
import { isStarted } from '@svc/db/drops';
import { isUnderLegalHold, tablesInside } from '@svc/db/tables';
import type { RequestedObjects, VendedCredentials } from '@svc/lake/storage';
import type { CatalogContext } from '../protocol/context.ts';

/** The action that access to a table's files needs. Removing files changes the table's history, so it counts as maintenance. */
export const NEEDED: Record<RequestedObjects['access'], Action> = {
  read: 'READ_TABLE',
  write: 'WRITE_TABLE',
  remove: 'MAINTAIN_TABLE',
};

const MODES = ['vended-credentials', 'remote-signing'] as const;

/** How the engine requests access to storage: any of these. */
export function requestedModes(ctx: CatalogContext): readonly (typeof MODES)[number][] {
  const requested = (ctx.req.get('x-iceberg-access-delegation') ?? '').split(',').map((mode) => mode.trim());
  return MODES.filter((mode) => requested.includes(mode));
}

/** A table whose files the caller may access. */
export interface DelegatedTable {
  id: string;
  name: string;
  /** In the store's spelling. */
  location: string;
  /** Null while the table is being created. */
  metadataLocation: string | null;
  /** Set for a staging table, which its owner may write whatever its grants are. `reads`: a folder that it reads as well. */
  staged?: { reads: string | null } | undefined;
}

/** An entry of `storage-credentials`. */
export interface StorageCredential {
  prefix: string;
  config: Readonly<Record<string, string>>;
}

/** What lets an engine reach a table's files without its own key; empty unless the engine requested it. */
export interface Delegation {
  config: Readonly<Record<string, string>>;
  'storage-credentials'?: StorageCredential[];
}

export async function delegate(ctx: CatalogContext, table: DelegatedTable): Promise<Delegation> {
  const credentials = requestedModes(ctx).includes('vended-credentials') ? await storageCredentials(ctx, table) : [];
  // Clients that don't know the list read the configuration.
  if (credentials.length > 0) return { config: credentials[0]!.config, 'storage-credentials': credentials };
  return { config: await signingConfig(ctx, table.name) };
}

/** The configuration with which an engine has its requests signed; empty unless the engine requested it. */
export async function signingConfig(ctx: CatalogContext, name: string): Promise<Record<string, string>> {
  const signer = requestedModes(ctx).includes('remote-signing') ? await ctx.deps.store.signerOf(ctx.storageRoot) : null;
  if (signer === null) return {};
  const endpoint = `${pathOf(ctx, name)}/sign`;
  return {
    ...signer.properties,
    's3.remote-signing-enabled': 'true',
    'signer.endpoint': endpoint,
    's3.signer.endpoint': endpoint,
    // The class that signs in PyIceberg, and its only FileIO that supports signing.
    's3.signer': 'S3V4RestSigner',
    'py-io-impl': 'pyiceberg.io.fsspec.FsspecFileIO',
  };
}

function pathOf(ctx: CatalogContext, name: string): string {
  const { prefix, namespace } = ctx.params;
  const [env, path, table] = [prefix, namespace.replaceAll('.', '\u001f'), name].map(encodeURIComponent);
  return `v1/${env}/namespaces/${path}/tables/${table}`;
}

/**
 * Temporary credentials for the table's files, with the caller's permissions, and their event. Empty if the storage
 * issues none, or none for this table (CREDENTIAL-1).
 */
export async function storageCredentials(ctx: CatalogContext, table: DelegatedTable): Promise<StorageCredential[]> {
  const on = ctx.scope({ namespace: ctx.params.namespace, table: table.name });
  const { location, staged } = table;
  const access: Access[] = staged ? ['read', 'write'] : await permittedAccess(ctx, table, on);
  if (access.length === 0 || !(await isExclusive(ctx, table))) return [];
  const reads = staged?.reads ?? null;
  const sessionName = `svc-${ctx.caller.id}`;
  // With credentials that only read, an engine would no longer use a key of its own, and couldn't write its rows.
  const exact = staged !== undefined;
  const vended = await ctx.deps.store.vendCredentials({ location, reads, access, exact, sessionName });
  if (vended === null) return [];
  await recordIssue(ctx, { table, on, vended });
  const refresh = { [vended.refreshProperty]: `${pathOf(ctx, table.name)}/credentials` };
  return [{ prefix: reads ?? location, config: { ...vended.properties, ...refresh } }];
}

type Scope = ReturnType<CatalogContext['scope']>;
type Access = RequestedObjects['access'];

/** Whether only files of this table can be in its folder. In a bucket, older versions let an engine choose a folder inside another one. */
async function isExclusive(
  ctx: CatalogContext,
  { location, metadataLocation, staged }: DelegatedTable,
): Promise<boolean> {
  if (metadataLocation === null) return isNew(ctx, location);
  return (await tablesInside(ctx.db, staged?.reads ?? location)).length === 0;
}

/** What engines such as Trino append to the name of a table: 128 random bits. */
const UNIQUE = /^[0-9a-f]{32}$/;

/**
 * Whether the folder of a table that is being created is its own: svc chose it, or nobody can guess its name. Another
 * engine could create its table first in a folder with a name that it knows.
 */
async function isNew(ctx: CatalogContext, location: string): Promise<boolean> {
  if (await isStarted(ctx.db, location)) return true;
  const tablesRoot = `${ctx.storageRoot}/tables/${ctx.environment.id}/`;
  const folder = location.slice(tablesRoot.length);
  if (!location.startsWith(tablesRoot) || folder.includes('/') || !UNIQUE.test(folder.slice(-32))) return false;
  return (await findLocationOwners(ctx.db, { root: ctx.storageRoot, location })).length === 0;
}

/** Whether the name shows that it is a metadata file, which no credentials can write (CREDENTIAL-3). */
export const isMetadataFile = (location: string): boolean =>
  location.slice(location.lastIndexOf('/')).includes('.metadata.json');

async function permittedAccess(
  ctx: CatalogContext,
  { id, metadataLocation }: DelegatedTable,
  on: Scope,
): Promise<Access[]> {
  const grants = ctx.target.table === null ? await ctx.listGrants() : ctx.grants;
  const isAllowed = (access: Access) => ctx.decide(NEEDED[access], on, grants).allowed;
  // CREATE_TABLE, which this request required.
  if (metadataLocation === null) return ['read', 'write', ...(isAllowed('remove') ? (['remove'] as const) : [])];
  const reading: Access[] = isAllowed('read') ? ['read'] : [];
  if (ctx.isProtected || !isMetadataFile(metadataLocation)) return reading;
  const changing = (['write', 'remove'] as const).filter(isAllowed);
  const removes = changing.includes('remove') && !(await isUnderLegalHold(ctx.db, { id, now: ctx.now }));
  return [...reading, ...changing.filter((access) => removes || access !== 'remove')];
}

interface Issued {
  table: DelegatedTable;
  on: Scope;
  vended: VendedCredentials;
}

function recordIssue(ctx: CatalogContext, { table, on, vended }: Issued): Promise<void> {
  return ctx.audit({
    type: 'TABLE_CREDENTIALS_ISSUED',
    object: on,
    detail: {
      table_id: table.id,
      location: table.location,
      access: vended.access,
      ...(table.staged?.reads && { reads: table.staged.reads }),
      access_key_id: vended.accessKeyId,
      expires_at: vended.expiresAt.toISOString(),
    },
  });
}
