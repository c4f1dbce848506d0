import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Transport, TransportAnswer } from './transport.ts';

/** The default transport, on got. It neither retries nor follows redirects: a token goes to the named host only. */
export const gotTransport: Transport = async (url, { method, headers, body, signal }) => {
  const { default: got } = await import('got');
  const stream = got.stream(url, {
    method: method as 'GET',
    headers,
    signal,
    retry: { limit: 0 },
    throwHttpErrors: false,
    followRedirect: false,
    ...(typeof body === 'string' || body instanceof Uint8Array ? { body: Buffer.from(body) } : {}),
  });
  const upload =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array
      ? null
      : Readable.from(body, { objectMode: false, highWaterMark: 1 << 20 });
  return new Promise((resolve, reject) => {
    stream.once('response', (response: IncomingMessage) => {
      // A rejected body needn't be sent completely, and the connection needn't wait for it.
      if ((response.statusCode ?? 0) >= 400 && upload !== null) {
        upload.unpipe(stream).destroy();
        stream.once('end', () => stream.destroy());
      }
      resolve(answerOf(response, stream));
    });
    stream.on('error', reject);
    // The service must not wait for the rest of a body that failed.
    const fail = (error: unknown) => {
      reject(error);
      stream.destroy();
    };
    upload?.on('error', fail).pipe(stream);
    if (body === undefined && method !== 'GET') stream.end();
  });
};

function answerOf(response: IncomingMessage, stream: Readable): TransportAnswer {
  const get = (name: string) => {
    const value = response.headers[name.toLowerCase()];
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
  };
  return {
    status: response.statusCode ?? 0,
    headers: { get },
    body: stream as AsyncIterable<Uint8Array>,
    text: () => textOf(stream),
  };
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
