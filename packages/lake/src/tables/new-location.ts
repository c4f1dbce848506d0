import type { ObjectStore } from '../storage/index.ts';
import type { TableIds } from './manifests/snapshot-draft.ts';
import { snapshotIdFrom } from './metadata/metadata.ts';

/** Where ids and randomness come from. */
export interface IdSource {
  readonly newId: () => string;
  /** Cryptographic. */
  readonly random: (bytes: number) => Uint8Array;
}

/** The folder that holds those of an environment's tables. */
export function tableParent({ root }: Pick<ObjectStore, 'root'>, environmentId: string): string {
  return `${root}/tables/${environmentId}`;
}

/** A new folder that nobody can guess: a reused name never leads to old data. */
export function newTableLocation(
  store: Pick<ObjectStore, 'root'>,
  environmentId: string,
  { newId, random }: IdSource,
): string {
  return `${tableParent(store, environmentId)}/${newId()}-${Buffer.from(random(8)).toString('hex')}`;
}

/** The ids that commits give out. */
export function tableIds({ newId, random }: IdSource): TableIds {
  return { uuid: newId, snapshotId: () => snapshotIdFrom(random(8)) };
}
