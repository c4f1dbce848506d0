import { readFileSync } from 'node:fs';
import {
  BadRequest,
  Conflict,
  Forbidden,
  type Job,
  NotFound,
  PayloadTooLarge,
  ServerError,
  SvcClient,
  TooManyRequests,
  type TransportRequest,
  Unauthorized,
  Unavailable,
  UnprocessableEntity,
} from './index.ts';

// The Python module is tested with the same vectors (vectors/README.md).
const folder = new URL('../../../vectors/', import.meta.url);
const vectors = <T>(name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as T;

interface Spoken {
  call: string;
  args: unknown[];
  iterates?: boolean;
  raises?: string;
}
interface Call {
  name: string;
  typescript: Spoken;
  request: {
    method: string;
    path: string;
    query?: Record<string, string>;
    body?: unknown;
    upload?: string;
    headers?: Record<string, string>;
  };
  answer: { status: number; record?: string; records?: string[]; lines?: boolean; messages?: boolean; bytes?: string };
  wraps?: string;
  anonymous?: boolean;
  rows?: unknown[];
}
const records = vectors<Record<string, unknown>>('records');
const calls = vectors<Call[]>('calls');

interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A client whose service sends these responses in order, and the requests that it received. */
function clientOf(...answers: Answer[]) {
  return clientWith('t', answers);
}

function clientWith(token: string, answers: Answer[]) {
  const sent: (TransportRequest & { url: URL })[] = [];
  const pauses: number[] = [];
  const transport = async (url: string, request: TransportRequest) => {
    sent.push({ ...request, url: new URL(url) });
    const { status, body, headers } = answers.shift() ?? { status: 500 };
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers: headers ?? {} });
  };
  const parts = { pause: async (ms: number) => void pauses.push(ms / 1000), random: () => 0.5 };
  return { client: new SvcClient({ url: 'http://svc.test', token, transport }, parts), sent, pauses };
}

async function made(client: SvcClient, { call, args, iterates }: Spoken): Promise<unknown> {
  const [resource = '', method = ''] = call.split('.');
  const methods = (client as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>)[resource];
  const result = methods?.[method]?.(...args);
  if (!iterates) return result;
  const items: unknown[] = [];
  for await (const item of (await result) as AsyncIterable<unknown>) items.push(item);
  return items;
}

function answerOf({ status, record, records: many, lines, messages, bytes }: Call['answer']): Answer {
  if (bytes !== undefined) return { status, body: bytes };
  if (record !== undefined) return { status, body: records[record] };
  if (many === undefined) return { status };
  const items = many.map((name) => records[name]);
  if (messages) return { status, body: items.map(messageOf).join('') };
  return { status, body: lines ? items.map((item) => `${JSON.stringify(item)}\n`).join('') : items };
}

/** A record as a server-sent event, whose id it repeats. */
function messageOf(item: unknown): string {
  const { event_id, ...data } = item as Record<string, unknown>;
  return `:\nid: ${event_id}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** What a client makes of the answer: rows by their names, bytes, one record, or the records of a list. */
function madeOf({ typescript, answer, wraps, rows }: Call): unknown {
  if (rows !== undefined && typescript.iterates) return rows;
  if (answer.bytes !== undefined) return answer.bytes;
  if (answer.record === undefined) return answer.records?.map((name) => records[name]);
  const record = records[answer.record];
  return wraps === 'waiting' ? (record as { waiting: unknown }).waiting : record;
}

test.each(calls.map((call) => [call.name, call] as const))('%s', async (_, call) => {
  const { typescript, request, answer, wraps, anonymous } = call;
  const { client, sent } = clientWith(anonymous ? '' : 't', [answerOf(answer)]);
  const result = await made(client, typescript);
  const [{ method, url, headers, body }] = sent as [(typeof sent)[number]];
  // Several values of a filter may be repeated or separated by commas (RUN-3).
  const query = Object.fromEntries(
    [...url.searchParams.keys()].map((key) => [key, url.searchParams.getAll(key).join()]),
  );
  expect([method, url.pathname, query]).toEqual([request.method, request.path, request.query ?? {}]);
  expect(headers.authorization).toBe(anonymous ? undefined : 'Bearer t');
  expect(headers).toMatchObject(request.headers ?? {});
  if (request.upload !== undefined) expect(body).toBe(request.upload);
  else expect(body === undefined ? undefined : JSON.parse(body as string)).toEqual(request.body);
  const bytes = answer.bytes === undefined ? undefined : Buffer.concat(result as Uint8Array[]).toString();
  const whole = bytes ?? (result as { items?: unknown } | undefined)?.items ?? result;
  const shown = wraps === undefined ? whole : (result as Record<string, unknown>)[wraps];
  expect(shown).toEqual(madeOf(call));
});

interface Refused {
  name: string;
  typescript?: Spoken;
}
const refused = vectors<Refused[]>('refused').filter(({ typescript }) => typescript !== undefined);
test.each(refused.map((one) => [one.name, one] as const))(
  '%s is refused before a request',
  async (_, { typescript }) => {
    const { client, sent } = clientOf();
    const error = await Promise.resolve()
      .then(() => made(client, typescript as Spoken))
      .catch((thrown: unknown) => thrown);
    expect((error as Error).name).toBe(typescript?.raises);
    expect(sent).toEqual([]);
  },
);

const CLASSES = {
  BadRequest,
  Conflict,
  Forbidden,
  NotFound,
  PayloadTooLarge,
  ServerError,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  UnprocessableEntity,
};

interface Failing {
  name: string;
  answer: Answer;
  typescript: keyof typeof CLASSES;
  error: { request_id: string; retry_after: number | null; remedy: string | null } & Record<string, unknown>;
}
test.each(vectors<Failing[]>('errors').map((one) => [one.name, one] as const))(
  '%s',
  async (_, { answer, typescript, error }) => {
    const { client } = clientOf(answer);
    const thrown = await client.request('access.me', {}).catch((caught: unknown) => caught);
    expect(thrown).toBeInstanceOf(CLASSES[typescript]);
    const { request_id: requestId, retry_after: retryAfter, remedy, ...same } = error;
    const expected = { ...same, requestId, retryAfter: retryAfter ?? undefined, remedy: remedy ?? undefined };
    for (const [field, value] of Object.entries(expected))
      expect((thrown as Record<string, unknown>)[field]).toEqual(value);
  },
);

interface Repeat {
  name: string;
  typescript: Spoken;
  statuses: number[];
  code?: string;
  tries: number;
  fails?: boolean;
  same_key?: boolean;
  retry_after?: string;
  pause_at_least?: number;
}
test.each(vectors<Repeat[]>('repeats').map((one) => [one.name, one] as const))('%s', async (_, vector) => {
  const headers = vector.retry_after === undefined ? {} : { 'Retry-After': vector.retry_after };
  const answers = vector.statuses.map((status) =>
    status < 300 ? { status, body: status === 201 ? {} : [] } : { status, headers, body: { code: vector.code } },
  );
  const { client, sent, pauses } = clientOf(...answers);
  const failed = await made(client, vector.typescript).then(
    () => false,
    () => true,
  );
  expect({ failed, tries: sent.length }).toEqual({ failed: vector.fails ?? false, tries: vector.tries });
  const keys = new Set(sent.map(({ headers: requestHeaders }) => requestHeaders['idempotency-key']));
  if (vector.same_key) expect([keys.size, keys.has(undefined as never)]).toEqual([1, false]);
  if (vector.pause_at_least) expect(pauses[0]).toBeGreaterThanOrEqual(vector.pause_at_least);
});

interface Triggers {
  name: string;
  triggers: unknown[] | null;
  kinds: string[];
}
test.each(vectors<Triggers[]>('triggers').map((one) => [one.name, one] as const))(
  '%s',
  async (_, { triggers, kinds }) => {
    const { triggers: usual, ...without } = records.Job as Job;
    const body = triggers === null ? without : { ...without, triggers };
    const { client } = clientOf({ status: 200, body });
    expect(usual).toHaveLength(2);
    expect((await client.jobs.get('dev', 'nightly')).triggers.map(({ kind }) => kind)).toEqual(kinds);
  },
);
