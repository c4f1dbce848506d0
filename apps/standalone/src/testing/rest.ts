/** A response as tests use it. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any;
  bytes: Buffer;
}

export interface CallOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, with the content type. */
  raw?: { type: string; data: string | Uint8Array };
  /** Null sends no credential. */
  token?: string | null;
  headers?: Record<string, string>;
}

export type Call = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

/** Sends requests without a client library; `path` starts after `/api/v1`. */
export function rest(url: string, admin: string): Call {
  return async (method, path, { body, raw, token = admin, headers = {} } = {}) => {
    const type = raw?.type ?? (body === undefined ? undefined : 'application/json');
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(type === undefined ? {} : { 'Content-Type': type }),
        ...headers,
      },
      ...(raw === undefined ? (body === undefined ? {} : { body: JSON.stringify(body) }) : { body: raw.data }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '') && bytes.length > 0;
    return {
      status: answer.status,
      headers: answer.headers,
      body: isJson ? JSON.parse(bytes.toString()) : undefined,
      bytes,
    };
  };
}
