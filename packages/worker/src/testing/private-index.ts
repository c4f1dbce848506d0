import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestWheel } from './wheel.ts';

/** A request that the index received. */
export interface IndexRequest {
  readonly path: string;
  /** User name and password as sent; null if absent. */
  readonly credential: string | null;
}

/** A package index that tests serve on its own port. */
export interface PrivateIndex {
  /** For example http://127.0.0.1:1234. */
  readonly origin: string;
  readonly requests: IndexRequest[];
  /** Serves a part below a path. Each part has its own credential. */
  readonly serve: (path: string, part: ServedPart) => void;
  readonly stop: () => Promise<void>;
}

export interface ServedPart {
  readonly wheels: readonly TestWheel[];
  /** `user:password`; if absent, no credential is needed. */
  readonly credential?: string;
  /** Handles the requests for files instead of the index. */
  readonly answer?: (req: IncomingMessage, res: ServerResponse) => void;
}

/** Serves `<path>/simple/<name>/` and `<path>/files/<wheel>`. */
export async function startPrivateIndex(): Promise<PrivateIndex> {
  const parts = new Map<string, ServedPart>();
  const requests: IndexRequest[] = [];
  const server = createServer((req, res) => {
    const path = new URL(req.url ?? '/', 'http://x').pathname;
    const basic = /^Basic (.+)$/i.exec(req.headers.authorization ?? '');
    const credential = basic === null ? null : Buffer.from(basic[1]!, 'base64').toString();
    requests.push({ path, credential });
    const found = [...parts].find(([prefix]) => path.startsWith(`${prefix}/`));
    if (found === undefined) return void res.writeHead(404).end();
    answer(found[1], path.slice(found[0].length), credential, req, res);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    serve: (path, part) => void parts.set(path, part),
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

function answer(
  part: ServedPart,
  path: string,
  credential: string | null,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  if (part.credential !== undefined && credential !== part.credential) {
    res.writeHead(401, { 'WWW-Authenticate': 'Basic realm="index"' }).end();
    return;
  }
  if (part.answer !== undefined && path.startsWith('/files/')) {
    part.answer(req, res);
    return;
  }
  const wheel = part.wheels.find(({ file }) => path === `/files/${file}`);
  if (wheel !== undefined) {
    res.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(wheel.bytes);
    return;
  }
  const name = /^\/simple\/([^/]+)\/?$/.exec(path)?.[1];
  const links = part.wheels
    .filter(({ file }) => file.startsWith(`${name}-`))
    .map(({ file, hash }) => `<a href="../../files/${file}#sha256=${hash}">${file}</a>`);
  const page = `<!DOCTYPE html><html><body>${links.join('')}</body></html>`;
  res.writeHead(links.length === 0 ? 404 : 200, { 'Content-Type': 'text/html' }).end(page);
}
