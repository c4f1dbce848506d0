import { hash } from 'node:crypto';
import { readMetadataFile, stringifyLossless, type TableMetadata } from '@svc/lake/tables';
import type { CatalogAnswer } from '../protocol/answer.ts';
import type { CatalogContext } from '../protocol/context.ts';
import { accessConfig, asksForSigning } from './delegation.ts';

/** Which snapshots an answer holds: all, or those that a branch or tag names. */
export type SnapshotMode = 'all' | 'refs';

/** A table of the path's namespace with its metadata, which is sent as it lies in storage. */
export async function tableAnswer(
  ctx: CatalogContext,
  name: string,
  metadataLocation: string,
  mode: SnapshotMode = 'all',
): Promise<CatalogAnswer> {
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
    reload: true,
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
