import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as the collector got it. */
export interface Collected {
  service: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  fields: Record<string, unknown>;
  failed: boolean;
}

/** Takes spans by OTLP over HTTP in its JSON form (OpenTelemetry protocol 1.x), as a collector does. */
export interface Collector {
  url: string;
  spans: Collected[];
  /** Everything that came, as text. */
  texts: string[];
  headers: IncomingMessage['headers'][];
  /** Resolves with the first span that matches, when it has come. */
  span: (matches: (span: Collected) => boolean) => Promise<Collected>;
  /** From now on it answers so. */
  answer: (status: number) => void;
  stop: () => Promise<void>;
}

interface Value {
  stringValue?: string;
  intValue?: number | string;
  boolValue?: boolean;
}
interface Attribute {
  key: string;
  value: Value;
}
interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: number };
}
interface Export {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

const fieldsOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value: { intValue, ...other } }) => [
      key,
      intValue === undefined ? Object.values(other)[0] : Number(intValue),
    ]),
  );

function spansOf({ resourceSpans }: Export): Collected[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => {
        if (BigInt(span.endTimeUnixNano) < BigInt(span.startTimeUnixNano))
          throw new Error(`${span.name} ends before it starts`);
        return {
          service: String(fieldsOf(resource.attributes)['service.name']),
          name: span.name,
          kind: span.kind,
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId ?? '',
          fields: fieldsOf(span.attributes),
          failed: span.status.code === 2,
        };
      }),
    ),
  );
}

export async function startCollector(): Promise<Collector> {
  const spans: Collected[] = [];
  const texts: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const waiting = new Set<() => void>();
  let status = 200;
  const server = createServer(async (req, res) => {
    const pieces: Buffer[] = [];
    for await (const piece of req) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString('utf8');
    texts.push(text);
    headers.push(req.headers);
    const known =
      req.method === 'POST' && req.url === '/v1/traces' && req.headers['content-type'] === 'application/json';
    if (known && status === 200) spans.push(...spansOf(JSON.parse(text) as Export));
    res.writeHead(known ? status : 400, { 'Content-Type': 'application/json' }).end('{}');
    for (const check of waiting) check();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    spans,
    texts,
    headers,
    span: (matches) =>
      new Promise((resolve) => {
        const check = () => {
          const found = spans.find(matches);
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    answer: (next) => {
      status = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
