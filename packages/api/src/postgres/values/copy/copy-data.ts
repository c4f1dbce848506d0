/**
 * Converts the data of COPY FROM STDIN to the CSV that loads read by default (TABLE-6), piece by piece. Its header names the columns, so
 * the others get their defaults. Memory is bounded by the longest row.
 */
export interface CopyLoad {
  /**
   * The CSV of the rows that are complete.
   *
   * @throws PgValueError with the line of the data
   */
  write(data: Buffer): Buffer;
  /** The CSV of the rest. @throws PgValueError if the data is incomplete */
  end(): Buffer;
}

/** Finds the end of the line that starts here (the position of its line feed), or null if it isn't complete. */
export type FindLine = (bytes: Buffer, start: number) => number | null;
/** A field of a line: null stands for null. */
export type AddField = (bytes: Buffer, start: number, end: number) => void;
export interface LineFields {
  readonly add: AddField;
  readonly addNull: () => void;
  /** The error of malformed data at this line. */
  readonly malformed: (message: string) => Error;
}
export type ReadLine = (line: Buffer, fields: LineFields) => void;
