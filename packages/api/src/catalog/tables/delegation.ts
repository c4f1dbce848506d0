import type { CatalogContext } from '../protocol/context.ts';

/** True when the engine asks to have its requests to the storage signed. */
export function asksForSigning(ctx: CatalogContext): boolean {
  const asked = ctx.req.get('x-iceberg-access-delegation') ?? '';
  return asked.split(',').some((way) => way.trim() === 'remote-signing');
}

/** What an engine needs to reach a table's files without a key of its own; nothing for one that did not ask. */
export async function accessConfig(ctx: CatalogContext, name: string): Promise<Record<string, string>> {
  const signer = asksForSigning(ctx) ? await ctx.deps.store.signerOf(ctx.storageRoot) : null;
  if (signer === null) return {};
  const { prefix, namespace } = ctx.params;
  const [env, path, table] = [prefix, namespace.replaceAll('.', '\u001f'), name].map(encodeURIComponent);
  const endpoint = `v1/${env}/namespaces/${path}/tables/${table}/sign`;
  return {
    ...signer.properties,
    's3.remote-signing-enabled': 'true',
    'signer.endpoint': endpoint,
    's3.signer.endpoint': endpoint,
    // PyIceberg signs by this class, of the one FileIO of its own that can.
    's3.signer': 'S3V4RestSigner',
    'py-io-impl': 'pyiceberg.io.fsspec.FsspecFileIO',
  };
}
