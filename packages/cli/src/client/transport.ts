import type { IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Transport, TransportAnswer } from '@svc/sdk';

/**
 * Requests over Node's own HTTP. The SDK's default transport takes some 40 ms to load, which every command would pay;
 * what it has beyond this one, the SDK does itself (retries, time limits) or a command never needs.
 */
export const plainTransport: Transport = async (url, { method, headers, body, signal }) => {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  const options: RequestOptions = { method, headers, signal };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (incoming) => {
      // What is refused need not be sent to its end: a command would wait for it.
      if ((incoming.statusCode ?? 0) >= 400) incoming.once('end', () => outgoing.destroy());
      resolve(answerOf(incoming));
    });
    outgoing.on('error', reject);
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body);
    else pipeline(Readable.from(body), outgoing).catch(reject);
  });
};

function answerOf(incoming: IncomingMessage): TransportAnswer {
  return {
    status: incoming.statusCode ?? 0,
    headers: {
      get: (name) => {
        const value = incoming.headers[name.toLowerCase()];
        return value === undefined ? null : String(value);
      },
    },
    body: incoming,
    text: async () => {
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece as Buffer);
      return Buffer.concat(pieces).toString('utf8');
    },
  };
}
