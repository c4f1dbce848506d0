/** A request to any path of the service. */
export interface PathRequest {
  method: string;
  /** Path below the address of the service, such as `/api/v1/environments`; may contain a query. */
  path: string;
  query?: Record<string, unknown> | undefined;
  /** JSON text. */
  body?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** The reason for a change in a protected environment, which the audit log records. */
  breakGlass?: string | undefined;
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Timeout of one attempt in milliseconds, until the response starts (default: the client's). */
  timeout?: number | undefined;
}

export interface PathAnswer {
  status: number;
  /** Cursor of the next page if the response is a page of a list; null on the last one. */
  next_cursor: string | null;
  body: AsyncIterable<Uint8Array>;
}
