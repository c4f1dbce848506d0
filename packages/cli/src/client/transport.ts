import type { IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Transport, TransportAnswer } from '@svc/sdk';

/**
 * Sends requests with node:http. The SDK's default transport takes about 40 ms to load, which would slow every command;
 * the SDK provides what this one lacks (retries, timeouts), or commands don't need it.
 */
export const plainTransport: Transport = async (url, { method, headers, body, signal }) => {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  // Lists of tokens and sessions show it.
  const options: RequestOptions = { method, headers: { 'user-agent': 'svc-cli', ...headers }, signal };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (incoming) => {
      // Stop sending the body of a rejected request, because the command would wait for it.
      if ((incoming.statusCode ?? 0) >= 400) incoming.once('end', () => outgoing.destroy());
      resolve(toResponse(incoming));
    });
    outgoing.on('error', reject);
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body);
    else pipeline(Readable.from(body), outgoing).catch(reject);
  });
};

function toResponse(incoming: IncomingMessage): TransportAnswer {
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
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}
