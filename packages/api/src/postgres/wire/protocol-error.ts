/** The client violates the protocol: it gets the error, and the connection is closed. */
export class ProtocolError extends Error {
  /** A SQLSTATE. */
  readonly code: string;

  constructor(message: string, code = '08P01') {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
  }
}
