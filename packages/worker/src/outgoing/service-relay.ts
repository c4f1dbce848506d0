import { Agent as HttpAgent, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { addressOf, type IndexAddress } from '@svc/core/package-indexes';
import { certificatesOf } from './certificates.ts';
import { passedHeaders, passOn } from './pass-on.ts';
import { type UpstreamProxy, upstreamOf } from './upstream-proxy.ts';

/** Used inside if the service's own port can't be: programs without rights can't listen below 1024. */
const OTHER_PORT = 8470;
/** However a proxy decodes the path before it resolves the segment. */
const DOT_SEGMENT = /(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?=[/\\;?#]|%2f|%5c|%3b|$)/i;
/** The service may trust the worker's network to say in these for whom a request is. */
const FORWARDED = /^(?:x-)?forwarded(?:-|$)/;
/** Shorter than servers keep idle connections, so that a request never meets one that is being closed. */
const IDLE_MS = 2_000;

/**
 * Passes the requests of tasks on to the service. Tasks send them unencrypted to a port of their own sandbox, so that every
 * HTTP library works without a proxy and without the service's certificates.
 */
export class ServiceRelay {
  /** The port at which tasks in a network of their own reach the service, and the start of its paths. */
  readonly port: number;
  readonly path: string;
  private readonly address: IndexAddress;
  private readonly host: string;
  private readonly ca: string[] | undefined;
  private readonly upstream: UpstreamProxy | null;
  private readonly agent: HttpAgent | HttpsAgent;

  /** @param env certificate variables of the worker */
  constructor(serviceUrl: string, env: Readonly<Record<string, string>>, upstream: UpstreamProxy | null) {
    const { host, pathname } = new URL(serviceUrl);
    this.address = addressOf(serviceUrl)!;
    this.port = this.address.port < 1024 ? OTHER_PORT : this.address.port;
    this.path = pathname.replace(/\/$/, '');
    this.host = host;
    this.upstream = upstream;
    const secure = this.address.scheme === 'https';
    this.ca = secure ? certificatesOf(env) : undefined;
    this.agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, timeout: IDLE_MS });
  }

  /** Behind the operator's proxy, other services can have the same address. */
  private isOfService(url: string): boolean {
    return (
      this.path === '' ||
      (/[/?]/.test(url.charAt(this.path.length) || '/') && url.startsWith(this.path) && !DOT_SEGMENT.test(url))
    );
  }

  async relay(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!this.isOfService(req.url!)) return void res.writeHead(404).end();
    const { scheme, host, port } = this.address;
    const bare = host.replace(/^\[|\]$/g, '');
    const headers = Object.fromEntries(
      Object.entries(passedHeaders(req, this.host)).filter(([name]) => !FORWARDED.test(name)),
    );
    const options = { host: bare, port, method: req.method, path: req.url, headers };
    if (scheme === 'http') return passOn(requestHttp({ ...options, agent: this.agent }), req, res);
    const tls = {
      ...(isIP(bare) === 0 ? { servername: bare } : {}),
      ...(this.ca === undefined ? {} : { ca: this.ca }),
    };
    const through = this.upstream === null ? null : upstreamOf(this.upstream, host);
    if (through === null) return passOn(requestHttps({ ...options, ...tls, agent: this.agent }), req, res);
    const socket = await through.connect(this.address);
    const createConnection = () => connectTls({ socket, host: bare, ...tls });
    return passOn(requestHttps({ ...options, createConnection }), req, res);
  }

  close(): void {
    this.agent.destroy();
  }
}
