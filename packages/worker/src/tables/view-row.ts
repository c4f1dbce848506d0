import type { Asset } from '@svc/core/deploys';
import { ownValue } from '@svc/core/own-value';
import type { Column } from '@svc/core/tables';
import type { NewTableRow } from '@svc/db/tables';

/** The columns of a view asset, with the asset's descriptions. */
export function viewColumns(asset: Asset, described: readonly { name: string; type: string }[]): Column[] {
  return described.map(({ name, type }) => ({
    name,
    type,
    nullable: true,
    description: ownValue(asset.columns, name) ?? null,
  }));
}

/** Builds the database row of a view asset. */
export function viewRow(
  asset: Asset,
  view: Pick<NewTableRow, 'id' | 'environmentId' | 'namespaceId' | 'columns' | 'viewSql' | 'createdBy' | 'now'> & {
    repositoryId: string;
  },
): NewTableRow {
  const { repositoryId, ...row } = view;
  const { table: name, description } = asset;
  return { ...row, name, kind: 'view', description, location: null, builtByRepository: repositoryId };
}
