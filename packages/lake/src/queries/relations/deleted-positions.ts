import type { VectorBounds } from '../../tables/manifests/deletion-vector.ts';
import { sql } from '../sql-text.ts';

/** A deletion vector: where it lies in a local Puffin file, in bytes, and the local data file whose rows it names. */
export type DeletedPosition = VectorBounds & {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
  readonly file: string;
};

/** The table of the engine that holds them; no namespace can have this name. */
export const POSITIONS = sql`lake."(deletes)".positions`;
