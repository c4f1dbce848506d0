import { hash } from 'node:crypto';
import { isBound } from '@svc/db/catalog';
import { readMetadataFile, stringifyLossless, type TableMetadata } from '@svc/iceberg';
import { boundByPolicies, type CatalogContext } from '../protocol/context.ts';
import type { CatalogResponse } from '../protocol/response.ts';
import { type DelegatedTable, type Delegation, delegate, requestedModes, signingConfig } from './delegation.ts';

/** The snapshots in a response: all, or those that a branch or tag references. */
export type SnapshotMode = 'all' | 'refs';

/** A table of the path's namespace to describe in a response. */
export interface TableResponse {
  id: string;
  name: string;
  metadataLocation: string;
  /** In the store's spelling. Null if the response needs no credentials: an engine that commits has written its files. */
  location: string | null;
  /** Whether a policy binds the caller, if this request already knows. */
  bound?: boolean;
  staged?: DelegatedTable['staged'];
}

/**
 * A table with its metadata, sent exactly as stored. Every operation returns metadata through this function: metadata
 * names the files, which contain what a policy hides. @throws AccessDeniedError if a policy binds the caller
 */
export async function tableResponse(
  ctx: CatalogContext,
  { id, name, metadataLocation, location, bound, staged }: TableResponse,
  mode: SnapshotMode = 'all',
): Promise<CatalogResponse> {
  if (bound ?? (await isBound(ctx.db, { tableId: id, principalId: ctx.caller.id })))
    throw boundByPolicies('READ_TABLE', ctx.scope({ namespace: ctx.params.namespace, table: name }));
  const { text, metadata } = await readMetadataFile(ctx.deps.store, metadataLocation);
  const shown = mode === 'all' ? text : Buffer.from(stringifyLossless(referencedOnly(metadata)));
  const delegation: Delegation =
    location === null
      ? { config: await signingConfig(ctx, name) }
      : await delegate(ctx, { id, name, location, metadataLocation, staged });
  const before = `{"metadata-location":${JSON.stringify(metadataLocation)},"metadata":`;
  return {
    status: 200,
    text: Buffer.concat([Buffer.from(before), shown, Buffer.from(`,${JSON.stringify(delegation).slice(1)}`)]),
    // A cached response would outlive its credentials.
    headers: 'storage-credentials' in delegation ? {} : { ETag: etagOf(ctx, metadataLocation, mode) },
    reload: id.toLowerCase(),
  };
}

/** Identifies the metadata and the options of the response: another selection of snapshots is another response. */
export function etagOf(ctx: CatalogContext, metadataLocation: string, mode: SnapshotMode): string {
  const version = [mode, ...requestedModes(ctx), metadataLocation].join(' ');
  return `"${hash('sha256', version, 'base64url').slice(0, 22)}"`;
}

function referencedOnly(metadata: TableMetadata): TableMetadata {
  const named = new Set(Object.values(metadata.refs).map((ref) => ref['snapshot-id']));
  return { ...metadata, snapshots: metadata.snapshots.filter((s) => named.has(s['snapshot-id'])) };
}

/** Whether `If-None-Match` contains the tag. */
export function hasCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
