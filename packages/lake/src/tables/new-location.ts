import type { IdSource } from '@svc/iceberg';

/** The folder that contains the folders of an environment's tables. */
export function tableParent({ root }: { readonly root: string }, environmentId: string): string {
  return `${root}/tables/${environmentId}`;
}

/** A new folder with an unguessable name: a reused table name never leads to old data. */
export function newTableLocation(
  store: { readonly root: string },
  environmentId: string,
  { newId, random }: IdSource,
): string {
  return `${tableParent(store, environmentId)}/${newId()}-${Buffer.from(random(8)).toString('hex')}`;
}
