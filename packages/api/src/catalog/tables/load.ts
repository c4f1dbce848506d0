import { hash } from 'node:crypto';
import { isBound } from '@svc/db/catalog';
import { readMetadataFile, stringifyLossless, type TableMetadata } from '@svc/lake/tables';
import type { CatalogAnswer } from '../protocol/answer.ts';
import { boundByPolicies, type CatalogContext } from '../protocol/context.ts';
import { accessConfig, asksForSigning } from './delegation.ts';

/** Which snapshots an answer holds: all, or those that a branch or tag names. */
export type SnapshotMode = 'all' | 'refs';

/** A table of the path's namespace that an answer tells of. */
export interface ToldTable {
  id: string;
  name: string;
  metadataLocation: string;
  /** Whether a policy of it binds the caller, where this request knows that already. */
  bound?: boolean;
}

/**
 * A table with its metadata, which is sent as it lies in storage. No metadata leaves the service but here, whatever the
 * operation: it names the files, which hold what a policy hides. @throws Denied where one binds the caller
 */
export async function tableAnswer(
  ctx: CatalogContext,
  { id, name, metadataLocation, bound }: ToldTable,
  mode: SnapshotMode = 'all',
): Promise<CatalogAnswer> {
  if (bound ?? (await isBound(ctx.db, { tableId: id, principalId: ctx.caller.id })))
    throw boundByPolicies('READ_TABLE', ctx.scope({ namespace: ctx.params.namespace, table: name }));
  const { text, metadata } = await readMetadataFile(ctx.deps.store, metadataLocation);
  const shown = mode === 'all' ? text : Buffer.from(stringifyLossless(referencedOnly(metadata)));
  const before = `{"metadata-location":${JSON.stringify(metadataLocation)},"metadata":`;
  return {
    status: 200,
    text: Buffer.concat([
      Buffer.from(before),
      shown,
      Buffer.from(`,"config":${JSON.stringify(await accessConfig(ctx, name))}}`),
    ]),
    headers: { ETag: etagOf(ctx, metadataLocation, mode) },
    reload: id.toLowerCase(),
  };
}

/** Of the metadata and what is told with it: another selection of snapshots is another answer. */
export function etagOf(ctx: CatalogContext, metadataLocation: string, mode: SnapshotMode): string {
  const told = `${mode}${asksForSigning(ctx) ? ' signed' : ''} ${metadataLocation}`;
  return `"${hash('sha256', told, 'base64url').slice(0, 22)}"`;
}

function referencedOnly(metadata: TableMetadata): TableMetadata {
  const named = new Set(Object.values(metadata.refs).map((ref) => ref['snapshot-id']));
  return { ...metadata, snapshots: metadata.snapshots.filter((s) => named.has(s['snapshot-id'])) };
}

/** True when `If-None-Match` names the tag. */
export function hasCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
