import { snapshotIdFrom } from '../metadata/metadata.ts';

/** The source of ids and randomness. */
export interface IdSource {
  readonly newId: () => string;
  /** Cryptographically secure. */
  readonly random: (bytes: number) => Uint8Array;
}

/** Generates names and ids; passed in so that tests can repeat a history. */
export type TableIds = {
  readonly uuid: () => string;
  /** Between 0 and 2^53 (exclusive); see `snapshotIdFrom`. */
  readonly snapshotId: () => number;
};

/** The ids that commits assign. */
export function tableIds({ newId, random }: IdSource): TableIds {
  return { uuid: newId, snapshotId: () => snapshotIdFrom(random(8)) };
}
