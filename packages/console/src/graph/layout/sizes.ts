export const NODE_WIDTH = 216;
export const NODE_HEIGHT = 46;
/** Between two columns, two nodes of a column, and two parts that no edge connects. */
export const COLUMN_GAP = 72;
export const ROW_GAP = 14;
export const PART_GAP = 36;
/** Of the place where an edge passes a column. */
export const PASS_HEIGHT = 14;

/** The left side of a column. */
export const columnX = (rank: number): number => rank * (NODE_WIDTH + COLUMN_GAP);

export interface Point {
  readonly x: number;
  readonly y: number;
}
