import { scopeOf } from '@svc/core/access';
import { type Deploy, splitAssetName } from '@svc/core/deploys';
import type { Context } from '../http/context.ts';

/** The deploy without the columns of tables that the caller can't read. Its assets are visible like those of a project version. */
export async function withVisibleColumns(ctx: Context, deploy: Deploy): Promise<Deploy> {
  const { assets } = deploy;
  if (assets === null) return deploy;
  const grants = await ctx.listGrants();
  const visible = <A extends { name: string; columns: unknown }>(asset: A): A => {
    const object = scopeOf({ environment: deploy.environment, ...splitAssetName(asset.name) });
    return ctx.decide('READ_TABLE', object, grants).allowed ? asset : { ...asset, columns: null };
  };
  return { ...deploy, assets: { ...assets, added: assets.added.map(visible), changed: assets.changed.map(visible) } };
}
