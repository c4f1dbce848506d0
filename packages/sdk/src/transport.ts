/** A body to send; a function opens it for each attempt, so that the request can be retried. */
export type UploadBody = string | Uint8Array | AsyncIterable<Uint8Array> | (() => AsyncIterable<Uint8Array>);

export interface TransportRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

/** The part of a fetch `Response` that the client reads. */
export interface TransportAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
  text(): Promise<string>;
}

/** Sends requests. Has the signature of `fetch`, so that tests can pass a function that returns a `Response`. */
export type Transport = (url: string, request: TransportRequest) => Promise<TransportAnswer>;
