import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What goes wrong with one request on its way to a store. */
export type Fault =
  /** The connection breaks before the store has seen the request. */
  | 'reset'
  /** The store does what is asked, and its answer is lost. */
  | 'lost-answer'
  /** Half of the answer's body comes. */
  | 'truncated'
  /** Nothing comes, and the connection stays open. */
  | 'silent'
  | 500
  | 503;

/** A proxy in front of a store that lets the next requests fail. */
export interface FaultProxy {
  readonly endpoint: string;
  /** Faults of the next requests, in this order; `match` takes those with another method or address for none of them. */
  next(faults: readonly Fault[], match?: (req: IncomingMessage) => boolean): void;
  /** Faults that no request has met yet. */
  readonly left: number;
  /** Every request from now on meets this fault, or those that `match` takes; null ends that. */
  always(fault: Fault | null, match?: (req: IncomingMessage) => boolean): void;
  /** Closes all connections and rejects new ones until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
}

export async function startFaultProxy(endpoint: string): Promise<FaultProxy> {
  const target = new URL(endpoint);
  const queue: Fault[] = [];
  let matches: (req: IncomingMessage) => boolean = () => true;
  let lasting: (req: IncomingMessage) => Fault | null = () => null;
  const sockets = new Set<Socket>();
  const server = createServer((req, res) => {
    const fault = lasting(req) ?? (matches(req) ? queue.shift() : undefined);
    if (fault === 'reset') return void req.socket.destroy();
    if (fault === 'silent') return void req.resume();
    if (typeof fault === 'number') return refuse(req, res, fault);
    forward(target, req, res, fault);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    next(faults, match = () => true) {
      queue.push(...faults);
      matches = match;
    },
    get left() {
      return queue.length;
    },
    always(fault, match = () => true) {
      lasting = (req) => (match(req) ? fault : null);
    },
    refuse: close,
    accept: () => listen(port),
    close,
  };
}

function refuse(req: IncomingMessage, res: ServerResponse, status: number): void {
  req.resume();
  const code = status === 503 ? 'SlowDown' : 'InternalError';
  res.writeHead(status, { 'Content-Type': 'application/xml' });
  res.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>made to fail</Message></Error>`);
}

function forward(target: URL, req: IncomingMessage, res: ServerResponse, fault: Fault | undefined): void {
  const onward = request({
    host: target.hostname,
    port: target.port,
    method: req.method,
    path: req.url,
    // The signed host name is passed on.
    headers: req.headers,
  });
  onward.once('error', () => req.socket.destroy());
  onward.once('response', (answer) => {
    if (fault === 'lost-answer') return void answer.resume().once('end', () => req.socket.destroy());
    res.writeHead(answer.statusCode!, answer.headers);
    if (fault !== 'truncated') return void answer.pipe(res);
    const length = Number(answer.headers['content-length'] ?? 0);
    answer.once('data', (piece: Buffer) => {
      res.write(piece.subarray(0, Math.min(piece.length, Math.floor(length / 2))), () => req.socket.destroy());
    });
  });
  req.pipe(onward);
}
