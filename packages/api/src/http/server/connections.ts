import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

export interface ConnectionLimits {
  /** Maximum number of open connections; 0 for no limit. */
  readonly connections: number;
  /** Milliseconds that a client may continue to send a request body after the response. */
  readonly lingerMs: number;
  /** Milliseconds that a client may leave a response unread. */
  readonly idleTimeoutMs: number;
}

export const CONNECTION_TIMES = { lingerMs: 30_000, idleTimeoutMs: 120_000 };
const REPORT_EVERY_MS = 60_000;

/** Closes connections of clients that don't make progress, and those beyond the limit. */
export function limitConnections(server: Server, limits: ConnectionLimits, log: Logger): void {
  const requests = new WeakMap<Socket, number>();
  const count = (socket: Socket, by: number) => requests.set(socket, (requests.get(socket) ?? 0) + by);
  server.on('request', (req, res) => {
    const { socket } = req;
    count(socket, 1);
    res.once('close', () => count(socket, -1));
    // Otherwise the server would read the rest of the body, however slowly it arrives.
    if (hasBody(req)) res.once('finish', () => destroyAfter(req, limits.lingerMs));
  });
  server.setTimeout(limits.idleTimeoutMs, (socket) => {
    // A request may take longer to process. In that case nothing has been written that the client could read.
    if ((requests.get(socket) ?? 0) === 0 || socket.writableLength > 0) socket.destroy();
  });
  if (limits.connections > 0) {
    server.maxConnections = limits.connections;
    server.on('drop', occasionalWarning(log, limits.connections));
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function destroyAfter(req: IncomingMessage, lingerMs: number): void {
  if (req.complete) return;
  const { socket } = req;
  const timer = setTimeout(() => {
    if (!req.complete) socket.destroy();
  }, lingerMs);
  timer.unref();
  // Clears the timer when the request closes, because its connection may serve thousands more.
  req.once('close', () => clearTimeout(timer));
}

/** Logs at most once a minute, with the number of closed connections. */
function occasionalWarning(log: Logger, connections: number): () => void {
  let closed = 0;
  let timer: NodeJS.Timeout | null = null;
  const report = () => {
    if (closed > 0) log.warn({ connections, closed }, 'connections beyond SVC_LIMITS__CONNECTIONS were closed');
    closed = 0;
  };
  return () => {
    closed++;
    if (timer !== null) return;
    report();
    timer = setTimeout(() => {
      timer = null;
      report();
    }, REPORT_EVERY_MS);
    timer.unref();
  };
}
