import type { RequestSigner } from '@svc/lake/storage';
import type { CatalogContext } from './context.ts';

/** What signs requests to the environment's storage; null for one of its own, whose key engines bring. */
export const signerOf = (ctx: CatalogContext): RequestSigner | null =>
  ctx.object.environment?.storage_location == null ? ctx.deps.store.signer : null;

/** True when the engine asks to have its requests to the storage signed, and there is a storage to sign for. */
export function asksForSigning(ctx: CatalogContext): boolean {
  const asked = ctx.req.get('x-iceberg-access-delegation') ?? '';
  return signerOf(ctx) !== null && asked.split(',').some((way) => way.trim() === 'remote-signing');
}

/** What an engine needs to reach a table's files without a key of its own; nothing for one that did not ask. */
export function accessConfig(ctx: CatalogContext, name: string): Record<string, string> {
  if (!asksForSigning(ctx)) return {};
  const { prefix, namespace } = ctx.params;
  const [env, path, table] = [prefix, namespace.replaceAll('.', '\u001f'), name].map(encodeURIComponent);
  const endpoint = `v1/${env}/namespaces/${path}/tables/${table}/sign`;
  return {
    ...signerOf(ctx)!.properties,
    's3.remote-signing-enabled': 'true',
    'signer.endpoint': endpoint,
    's3.signer.endpoint': endpoint,
    // PyIceberg signs by this class, of the one FileIO of its own that can.
    's3.signer': 'S3V4RestSigner',
    'py-io-impl': 'pyiceberg.io.fsspec.FsspecFileIO',
  };
}
