import type { Transport, TransportAnswer } from '../transport.ts';

/** Sends requests with `fetch`, and with the cookies of the page's own service. It follows no redirect. */
export const fetchTransport: Transport = async (url, { method, headers, body, signal }) => {
  const response = await fetch(url, {
    method,
    headers,
    signal,
    credentials: 'same-origin',
    redirect: 'error',
    ...(body === undefined ? {} : { body: await wholeBody(body) }),
  });
  return answerOf(response);
};

/** A browser can't send a stream over HTTP/1.1, so a streamed body is collected. */
async function wholeBody(body: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string | Blob> {
  if (typeof body === 'string') return body;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  if (body instanceof Uint8Array) pieces.push(Uint8Array.from(body));
  else for await (const piece of body) pieces.push(Uint8Array.from(piece));
  return new Blob(pieces);
}

function answerOf(response: Response): TransportAnswer {
  const { status, headers, body } = response;
  return { status, headers, body: body === null ? null : piecesOf(body), text: () => response.text() };
}

/** Not every browser can iterate over a stream. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Releases the connection if the caller stops early.
    await reader.cancel().catch(() => {});
  }
}
