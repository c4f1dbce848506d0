import type { CatalogContext } from '../protocol/context.ts';

/** Whether the engine requests signed access to storage. */
export function requestsSigning(ctx: CatalogContext): boolean {
  const header = ctx.req.get('x-iceberg-access-delegation') ?? '';
  return header.split(',').some((mode) => mode.trim() === 'remote-signing');
}

/**
 * The settings that let an engine reach a table's files without its own key; empty unless the engine requested them.
 */
export async function accessConfig(ctx: CatalogContext, name: string): Promise<Record<string, string>> {
  const signer = requestsSigning(ctx) ? await ctx.deps.store.signerOf(ctx.storageRoot) : null;
  if (signer === null) return {};
  const { prefix, namespace } = ctx.params;
  const [env, path, table] = [prefix, namespace.replaceAll('.', '\u001f'), name].map(encodeURIComponent);
  const endpoint = `v1/${env}/namespaces/${path}/tables/${table}/sign`;
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
