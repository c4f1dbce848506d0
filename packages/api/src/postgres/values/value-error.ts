/** A value that PostgreSQL would reject, with the SQLSTATE of its error. */
export class PgValueError extends Error {
  readonly sqlState: PgValueState;

  constructor(sqlState: PgValueState, message: string) {
    super(message);
    this.sqlState = sqlState;
  }
}

/**
 * - 08P01: the message breaks the protocol
 * - 0A000: svc doesn't have the feature
 * - 22003: a number is out of range
 * - 22007, 22008: a time is malformed, or out of range
 * - 22021: a text isn't UTF-8
 * - 22023: an option has an invalid value
 * - 22P02, 22P03: a text, or binary form is malformed
 * - 22P04: COPY data is malformed
 * - 42501: only an operator of the server may do it
 * - 42601: the statement is malformed
 * - 54000: a row is too long
 */
export type PgValueState =
  | '08P01'
  | '0A000'
  | '22003'
  | '22007'
  | '22008'
  | '22021'
  | '22P02'
  | '22P03'
  | '22023'
  | '22P04'
  | '42501'
  | '54000'
  | '42601';
