import type { ObjectStore } from '../storage/index.ts';
import type { TableIds } from './manifests/snapshot-draft.ts';
import { snapshotIdFrom } from './metadata/metadata.ts';

/** The source of ids and randomness. */
export interface IdSource {
  readonly newId: () => string;
  /** Cryptographically secure. */
  readonly random: (bytes: number) => Uint8Array;
}

/** The folder that contains the folders of an environment's tables. */
export function tableParent({ root }: Pick<ObjectStore, 'root'>, environmentId: string): string {
  return `${root}/tables/${environmentId}`;
}

/** A new folder with an unguessable name: a reused table name never leads to old data. */
export function newTableLocation(
  store: Pick<ObjectStore, 'root'>,
  environmentId: string,
  { newId, random }: IdSource,
): string {
  return `${tableParent(store, environmentId)}/${newId()}-${Buffer.from(random(8)).toString('hex')}`;
}

/** The ids that commits assign. */
export function tableIds({ newId, random }: IdSource): TableIds {
  return { uuid: newId, snapshotId: () => snapshotIdFrom(random(8)) };
}
