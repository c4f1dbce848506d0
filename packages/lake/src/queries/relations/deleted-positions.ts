import type { VectorBounds } from '@svc/iceberg/encoding';
import { sql } from '../sql-text.ts';

/** A deletion vector: its byte range in a local Puffin file, and the local data file whose rows it deletes. */
export type DeletedPosition = VectorBounds & {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
  readonly file: string;
};

/** The engine table that stores them; no namespace can have this name. */
export const POSITIONS = sql`lake."(deletes)".positions`;
