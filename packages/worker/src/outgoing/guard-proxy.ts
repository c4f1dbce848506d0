import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { addressText, type IndexAddress } from '@svc/core/package-indexes';
import { allowedAddress, type Resolve, systemResolve } from './addresses.ts';
import { type UpstreamProxy, upstreamOf } from './upstream-proxy.ts';

export interface GuardOptions {
  /** The only scheme, host and port triples that can be reached. */
  readonly allowed: readonly IndexAddress[];
  readonly resolve?: Resolve;
  /** The operator's proxy, which this one connects through. */
  readonly upstream?: UpstreamProxy | null;
  /** If absent, downloads are unlimited. */
  readonly budget?: DownloadBudget;
}

/** The remaining download budget; several proxies may share it. */
export interface DownloadBudget {
  /** Bytes. Negative after more was sent than allowed; then nothing gets through any more. */
  remainingBytes: number;
}

/** A proxy on this machine for one child process. */
export interface GuardProxy {
  readonly url: string;
  /** Refused targets, as `scheme://host:port`. */
  readonly refused: readonly string[];
  readonly close: () => Promise<void>;
}

const CONNECT_MS = 30_000;
const IDLE_MS = 300_000;
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'upgrade'];

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
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, refused: guard.refused, close: () => guard.close(server) };
}

class Guard {
  readonly refused: string[] = [];
  private readonly allowed: ReadonlySet<string>;
  private readonly resolve: Resolve;
  private readonly upstream: UpstreamProxy | null;
  private readonly budget: DownloadBudget;
  private readonly sockets = new Set<Duplex>();

  constructor({
    allowed,
    resolve = systemResolve,
    upstream = null,
    budget = { remainingBytes: Number.POSITIVE_INFINITY },
  }: GuardOptions) {
    this.budget = budget;
    this.allowed = new Set(allowed.map(addressText));
    this.resolve = resolve;
    this.upstream = upstream;
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

  /** Returns the address to connect to; null if the target is refused, which is recorded. */
  private async admit(target: IndexAddress): Promise<string | null> {
    const text = addressText(target);
    if (this.budget.remainingBytes < 0) return null;
    const address = this.allowed.has(text) ? await allowedAddress(target.host, this.resolve) : null;
    if (address === null && !this.refused.includes(text)) this.refused.push(text);
    return address;
  }

  async tunnel(req: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    try {
      const parts = /^(\[[0-9a-fA-F:.]+\]|[^:[\]/@]+):(\d{1,5})$/.exec(req.url ?? '');
      if (parts === null) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      const target = { scheme: 'https' as const, host: parts[1]!.toLowerCase(), port: Number(parts[2]) };
      const server = await this.connectTo(target);
      if (server === null) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      this.countBytes(server);
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.write(head);
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
    const text = addressText(target);
    if (this.budget.remainingBytes < 0) return null;
    const orUnknown: Resolve = async (host) => {
      const found = await this.resolve(host).catch(() => []);
      return found.length > 0 ? found : ['192.0.2.1'];
    };
    const ok = this.allowed.has(text) && (await allowedAddress(target.host, orUnknown)) !== null;
    if (!ok && !this.refused.includes(text)) this.refused.push(text);
    return ok ? target.host : null;
  }

  async forward(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      const url = URL.canParse(req.url ?? '') ? new URL(req.url!) : null;
      if (url === null || url.protocol !== 'http:' || url.username !== '') return void res.writeHead(400).end();
      const target = { scheme: 'http' as const, host: url.hostname, port: Number(url.port || 80) };
      const host = await this.admit(target);
      if (host === null) return void res.writeHead(403).end();
      const headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
      const { method } = req;
      const onward = request({
        host,
        port: target.port,
        method,
        path: url.pathname + url.search,
        headers,
        timeout: IDLE_MS,
      });
      onward.on('response', (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        this.countBytes(answer);
        answer.pipe(res);
        answer.on('error', () => res.destroy());
      });
      onward.on('timeout', () => onward.destroy());
      onward.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()));
      res.on('close', () => onward.destroy());
      req.pipe(onward);
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
