import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { FuzzRequest } from './requests.ts';

export interface FuzzAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const TIMEOUT_MS = 60_000;

/** Sends requests unchanged: no client library corrects them. */
export class Sender {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });
  private readonly url: URL;

  constructor(url: string) {
    this.url = new URL(url);
  }

  send({ method, target, headers, body }: Omit<FuzzRequest, 'operation'>, token: string | null): Promise<FuzzAnswer> {
    const { hostname, port } = this.url;
    const { agent } = this;
    const own = token === null ? {} : { Authorization: `Bearer ${token}` };
    // A body without its length is sent in chunks.
    const length = body === null || headers['Transfer-Encoding'] !== undefined ? {} : { 'Content-Length': body.length };
    return new Promise((resolve, reject) => {
      const sent = request(
        { hostname, port, agent, method, path: target, headers: { ...own, ...length, ...headers } },
        (answer) => {
          const pieces: Buffer[] = [];
          const finish = () =>
            resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(pieces) });
          // A stream of events has no end.
          const isEndless = answer.headers['content-type']?.startsWith('text/event-stream') === true;
          answer.on('data', (piece: Buffer) => {
            pieces.push(piece);
            if (!isEndless) return;
            finish();
            answer.destroy();
          });
          answer.on('error', reject);
          answer.on('end', finish);
        },
      );
      sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
      sent.on('error', reject);
      if (headers['Expect'] === undefined) sent.end(body ?? undefined);
      else sent.once('continue', () => sent.end(body ?? undefined)).flushHeaders();
    });
  }

  /** Writes these bytes to a new connection; returns everything received until it is closed or silent. */
  raw(bytes: string | Buffer): Promise<string> {
    const socket = connect(Number(this.url.port), this.url.hostname);
    const pieces: Buffer[] = [];
    return new Promise((resolve) => {
      const finish = () => resolve(Buffer.concat(pieces).toString('latin1'));
      socket.on('data', (piece) => pieces.push(piece));
      socket.on('close', finish);
      socket.on('error', () => {});
      // Half-closed, so that the server responds to what it has received and then closes.
      socket.end(bytes);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
