import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that it received. */
export type ReceivedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** One answer: a page of the protocol, whose `next` is put into `nextUri`, or something else altogether. */
export type Reply =
  | { readonly page: Readonly<Record<string, unknown>>; readonly next?: string }
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Says nothing until it is closed. */
  | 'silence';

/** An HTTP server that speaks Trino's statement protocol as it was recorded, one answer after the other. */
export class TrinoStandIn {
  readonly received: ReceivedRequest[] = [];
  private readonly server: Server;
  private answers: Reply[] = [];
  private deleted = (): void => undefined;

  private constructor(server: Server) {
    this.server = server;
  }

  static async start(): Promise<TrinoStandIn> {
    const server = createServer();
    const standIn = new TrinoStandIn(server);
    server.on('request', (request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => {
        body += piece.toString();
      });
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        standIn.received.push({ method, path, headers, body });
        standIn.answer(method, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets what it will answer, and forgets the requests so far. */
  will(...answers: readonly Reply[]): void {
    this.answers = [...answers];
    this.received.length = 0;
  }

  /** Ends when a statement is cancelled. */
  cancelled(): Promise<void> {
    return new Promise((resolve) => {
      this.deleted = resolve;
    });
  }

  requests(): string[] {
    return this.received.map(({ method, path }) => `${method} ${path}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(method: string, response: ServerResponse): void {
    if (method === 'DELETE') {
      this.deleted();
      response.writeHead(204).end();
      return;
    }
    const reply = this.answers.shift() ?? { status: 404 };
    if (reply === 'silence') return;
    if ('status' in reply) {
      response.writeHead(reply.status, reply.headers).end(reply.body);
      return;
    }
    const stats = { state: reply.next === undefined ? 'FINISHED' : 'RUNNING' };
    const next =
      reply.next === undefined ? {} : { nextUri: reply.next.startsWith('/') ? `${this.url}${reply.next}` : reply.next };
    const page = {
      id: '20260101_000000_00001_abcde',
      infoUri: `${this.url}/ui`,
      stats,
      warnings: [],
      ...reply.page,
      ...next,
    };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(page));
  }
}
