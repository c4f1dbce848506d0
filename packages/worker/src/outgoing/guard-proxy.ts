import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { addressText, type IndexAddress } from '@svc/core/package-indexes';
import { allowedAddress, type Resolve, systemResolve } from './addresses.ts';
import { passedHeaders, passOn } from './pass-on.ts';
import type { ServiceRelay } from './service-relay.ts';
import { type UpstreamProxy, upstreamOf } from './upstream-proxy.ts';

export interface GuardOptions {
  /** The only scheme, host and port triples that can be reached. */
  readonly allowed: readonly IndexAddress[];
  readonly resolve?: Resolve;
  /** The operator's proxy, which this one connects through. */
  readonly upstream?: UpstreamProxy | null;
  /** If absent, downloads are unlimited. */
  readonly budget?: DownloadBudget;
  /** Whether the address of an allowed host is allowed (default: all except link-local and metadata addresses). */
  readonly mayConnect?: (address: string) => boolean;
  /**
   * The service, which gets every request that names no host. A tunnel to it is refused like any other: behind it could be
   * other services of the same address.
   */
  readonly service?: ServiceRelay | null;
  /** Path of a Unix socket to listen on (default: a port of this machine). */
  readonly socket?: string;
  /** Says why a target is refused, in one line for its client, and records it. */
  readonly onRefused?: (target: IndexAddress) => string;
}

/** The remaining download budget; several proxies may share it. */
export interface DownloadBudget {
  /** Bytes. Negative after more was sent than allowed; then nothing gets through any more. */
  remainingBytes: number;
}

/** A proxy on this machine for one child process. */
export interface GuardProxy {
  /** Where it listens. */
  readonly url: string;
  /** The first refused targets, as `scheme://host:port`. */
  readonly refused: readonly string[];
  /** Lets the program reach one more target, which the operator chose, so that it may have any address except forbidden ones. */
  readonly allow: (target: IndexAddress) => void;
  readonly close: () => Promise<void>;
}

const CONNECT_MS = 30_000;
const IDLE_MS = 300_000;
/** More would use up the files that the worker can open. */
const MAX_CONNECTIONS = 200;
const MAX_REFUSED = 20;

/**
 * Starts a proxy that allows exactly the given scheme, host and port triples: CONNECT for https, plain requests for
 * http. It resolves and checks each host and connects to the checked address, so a second lookup can't lead to another
 * one.
 */
export async function startGuardProxy(options: GuardOptions): Promise<GuardProxy> {
  const guard = new Guard(options);
  const server = createServer((req, res) => void guard.forward(req, res));
  server.on('connect', (req, socket, head) => void guard.tunnel(req, socket, head));
  server.on('clientError', (_, socket) => socket.destroy());
  server.on('connection', (socket) => guard.track(socket));
  server.maxConnections = MAX_CONNECTIONS;
  // A body takes as long as the work behind it, and clients reuse connections.
  server.requestTimeout = 0;
  server.keepAliveTimeout = IDLE_MS;
  const { socket } = options;
  const listen = socket === undefined ? { port: 0, host: '127.0.0.1' } : { path: socket };
  await new Promise<void>((done, fail) => server.once('error', fail).listen(listen, done));
  const url = socket === undefined ? `http://127.0.0.1:${(server.address() as AddressInfo).port}` : `unix:${socket}`;
  return { url, refused: guard.refused, allow: (target) => guard.allow(target), close: () => guard.close(server) };
}

class Guard {
  readonly refused: string[] = [];
  private readonly allowed: ReadonlySet<string>;
  private readonly chosen = new Set<string>();
  private readonly resolve: Resolve;
  private readonly upstream: UpstreamProxy | null;
  private readonly budget: DownloadBudget;
  private readonly mayConnect: (address: string) => boolean;
  private readonly service: ServiceRelay | null;
  private readonly onRefused: (target: IndexAddress) => string;
  private readonly sockets = new Set<Duplex>();

  constructor({
    allowed,
    resolve = systemResolve,
    upstream = null,
    budget = { remainingBytes: Number.POSITIVE_INFINITY },
    mayConnect = () => true,
    service = null,
    onRefused = () => 'Forbidden',
  }: GuardOptions) {
    this.mayConnect = mayConnect;
    this.service = service;
    this.onRefused = onRefused;
    this.budget = budget;
    this.allowed = new Set(allowed.map(addressText));
    this.resolve = resolve;
    this.upstream = upstream;
  }

  allow(target: IndexAddress): void {
    this.chosen.add(addressText(target));
  }

  track(socket: Duplex): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
  }

  async close(server: Server): Promise<void> {
    const closed = new Promise<void>((done) => server.close(() => done()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Counts what a server sends, and closes all connections when the budget is used up. */
  private countBytes(server: Readable): void {
    server.on('data', (chunk: Buffer) => {
      this.budget.remainingBytes -= chunk.length;
      if (this.budget.remainingBytes < 0) for (const socket of this.sockets) socket.destroy();
    });
  }

  /** Returns the address to connect to; null if the target is refused. */
  private async admit(target: IndexAddress): Promise<string | null> {
    if (this.budget.remainingBytes < 0) return null;
    if (this.chosen.has(addressText(target))) return allowedAddress(target.host, this.resolve);
    return this.allowed.has(addressText(target)) ? allowedAddress(target.host, this.resolve, this.mayConnect) : null;
  }

  /** Records a refused target. Returns the response's reason, which clients show. */
  private refuse(target: IndexAddress): string {
    if (this.budget.remainingBytes < 0) return 'Forbidden';
    const text = addressText(target);
    if (!this.refused.includes(text) && this.refused.length < MAX_REFUSED) this.refused.push(text);
    return this.onRefused(target).replace(/[^\x20-\x7e]/g, '?');
  }

  async tunnel(req: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    try {
      const parts = /^(\[[0-9a-fA-F:.]+\]|[^:[\]/@]+):(\d{1,5})$/.exec(req.url ?? '');
      if (parts === null) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      const target = { scheme: 'https' as const, host: parts[1]!.toLowerCase(), port: Number(parts[2]) };
      const server = await this.connectTo(target);
      if (server === null) return void client.end(`HTTP/1.1 403 ${this.refuse(target)}\r\n\r\n`);
      this.countBytes(server);
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) server.write(head);
      server.pipe(client);
      client.pipe(server);
      server.on('close', () => client.destroy());
      client.on('close', () => server.destroy());
    } catch {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    }
  }

  private async connectTo(target: IndexAddress): Promise<Duplex | null> {
    const through = this.upstream === null ? null : upstreamOf(this.upstream, target.host);
    const address = await (through === null ? this.admit(target) : this.admitByName(target));
    if (address === null) return null;
    const socket = through === null ? await dial(target.port, address) : await through.connect(target);
    this.track(socket);
    return socket;
  }

  /** The operator's proxy resolves names itself. The addresses known here are checked all the same. */
  private async admitByName(target: IndexAddress): Promise<string | null> {
    const isChosen = this.chosen.has(addressText(target));
    if (this.budget.remainingBytes < 0 || !(isChosen || this.allowed.has(addressText(target)))) return null;
    let isKnown = true;
    const resolve: Resolve = async (host) => {
      const found = await this.resolve(host).catch(() => []);
      isKnown = found.length > 0;
      return found;
    };
    const address = await allowedAddress(target.host, resolve, isChosen ? undefined : this.mayConnect);
    return address !== null || !isKnown ? target.host : null;
  }

  async forward(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      if (this.service !== null && req.url?.startsWith('/')) return await this.service.relay(req, res);
      const url = URL.canParse(req.url ?? '') ? new URL(req.url!) : null;
      if (url === null || url.protocol !== 'http:' || url.username !== '') return void res.writeHead(400).end();
      const target = { scheme: 'http' as const, host: url.hostname, port: Number(url.port || 80) };
      const host = await this.admit(target);
      if (host === null) {
        const reason = this.refuse(target);
        return void res.writeHead(403, reason).end(`${reason}\n`);
      }
      const onward = request({
        host,
        port: target.port,
        method: req.method,
        path: url.pathname + url.search,
        headers: passedHeaders(req, url.host),
        timeout: IDLE_MS,
      });
      onward.on('timeout', () => onward.destroy());
      passOn(onward, req, res, (answer) => this.countBytes(answer));
    } catch {
      if (!res.headersSent) res.writeHead(502);
      res.end();
    }
  }
}

/** Connects to an IP address. */
export function dial(port: number, host: string): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect({ port, host });
    const late = setTimeout(() => socket.destroy(new Error('the connection took too long')), CONNECT_MS);
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(late);
      socket.off('error', fail);
      socket.setTimeout(IDLE_MS, () => socket.destroy());
      done(socket);
    });
    socket.once('close', () => clearTimeout(late));
  });
}
