import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Breaks the connection instead of answering. */
  drop?: boolean;
  /** Never answers. */
  hang?: boolean;
}

/** A real HTTP server that sends the responses of a test and records the requests. */
export interface ScriptedService {
  url: string;
  received: Received[];
  close(): Promise<void>;
}

export async function startService(answer: (request: Received, count: number) => Reply): Promise<ScriptedService> {
  const received: Received[] = [];
  const server: Server = createServer(async (req, res) => {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of req) pieces.push(piece as Buffer);
    } catch {
      // The client broke the connection.
      return;
    }
    const request: Received = {
      method: req.method ?? '',
      url: req.url ?? '',
      headers: req.headers,
      body: Buffer.concat(pieces).toString('utf8'),
    };
    received.push(request);
    const { status = 200, headers = {}, body, drop, hang } = answer(request, received.length);
    if (hang) return;
    if (drop) return void req.socket.destroy();
    res.writeHead(status, { 'content-type': 'application/json', ...headers });
    res.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve, reject) => {
      server.closeAllConnections();
      server.close((error) => (error ? reject(error) : resolve()));
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close };
}

/** The problem answer of a code. */
export const problem = (status: number, code: string, more: Record<string, unknown> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: {
    type: `urn:svc:problem:${code}`,
    title: code,
    status,
    detail: `Refused: ${code}.`,
    instance: '/',
    code,
    request_id: 'req-1',
    ...more,
  },
});
