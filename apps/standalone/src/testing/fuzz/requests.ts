import { CATALOG_BODIES, FORMS, places } from './catalog-bodies.ts';
import type { Seen, SeenTable } from './catalog-world.ts';
import type { Dice } from './dice.ts';
import type { Operation, Schema } from './document.ts';
import { RECIPES } from './recipes.ts';
import { twisted, written } from './twist.ts';
import { anything, fitting, nastyText, nearlyFitting, type Suggest } from './values.ts';

/** One request, ready to be sent. */
export interface FuzzRequest {
  operation: Operation;
  method: string;
  /** Percent-encoded, with its query. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

const NASTY_SEGMENTS = [
  '%00',
  '%ff',
  '%',
  '%zz',
  '%2e%2e',
  '%2F',
  'a%2Fb',
  '%E2%80%AE',
  '*',
  '%F0%9F%92%A9',
  '~',
  '%0d%0aX:y',
];

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** What requests may name. */
export interface Known {
  suggest: Suggest;
  /** The environment that most requests are about. */
  env: string;
  catalog: Seen;
  /** Where the warehouse lies. */
  warehouse: string;
}

/** A request of this operation: valid, nearly valid or hostile. */
export function makeRequest(dice: Dice, operation: Operation, known: Known): FuzzRequest {
  const manner = dice.pick(['valid', 'valid', 'nearly', 'hostile'] as const);
  const { tables } = known.catalog;
  const protocol = operation.statuses === null;
  const aim = protocol && tables.length > 0 && dice.chance(0.7) ? dice.pick(tables) : null;
  const suggest = aim === null ? known.suggest : aimedAt(aim, known.suggest);
  const target = makePath(dice, operation, suggest, manner) + makeQuery(dice, operation, suggest, manner);
  const headers = makeHeaders(dice, manner);
  const { body, type } = protocol
    ? makeProtocolBody(
        dice,
        operation,
        aim === null ? known : { ...known, catalog: { ...known.catalog, tables: [aim] } },
        manner,
      )
    : makeBody(dice, operation, known, manner);
  if (type !== null) headers['Content-Type'] = type;
  const method =
    manner === 'hostile' && dice.chance(0.03)
      ? dice.pick(['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'PROPFIND'])
      : operation.method;
  return { operation, method, target, headers, body };
}

/** The path names the same table as the body is made for. */
const aimedAt =
  ({ namespace, name }: SeenTable, suggest: Suggest): Suggest =>
  (asked) =>
    asked === 'namespace' ? [namespace] : asked === 'table' ? [name] : suggest(asked);

function makeProtocolBody(dice: Dice, { id, bodies }: Operation, known: Known, manner: Manner) {
  const [type] = Object.keys(bodies);
  if (type === undefined) return { body: null, type: null };
  if (id === 'getToken') return { body: Buffer.from(dice.pick(FORMS('no-token-of-anybody'))), type };
  const { suggest, warehouse, catalog } = known;
  const pick = (of: string) => String(dice.pick(suggest(of)));
  const names = {
    namespace: () => (dice.chance(0.3) ? `raw.n${dice.below(30)}` : pick('namespace')),
    table: () => (dice.chance(0.4) ? `fuzz${dice.below(40)}` : pick(dice.chance(0.6) ? 'table' : 'view')),
    warehouse,
  };
  if (manner === 'hostile' && dice.chance(0.2)) return { body: Buffer.from(dice.pick(NASTY_BODIES)), type };
  let body = CATALOG_BODIES[id]!(dice, catalog, names);
  const twists = manner === 'valid' ? 0 : manner === 'nearly' ? 1 : 1 + dice.below(3);
  for (let n = 0; n < twists; n++) body = twisted(dice, body, places(catalog, names));
  return { body: Buffer.from(written(body)), type };
}

type Manner = 'valid' | 'nearly' | 'hostile';

function makePath(dice: Dice, { path, parameters }: Operation, suggest: Suggest, manner: Manner): string {
  const wrong = manner === 'hostile' ? 0.3 : manner === 'nearly' ? 0.05 : 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (dice.chance(wrong))
      return dice.chance(0.5) ? dice.pick(NASTY_SEGMENTS) : encoded(nastyText(dice).slice(0, 4000));
    const { schema } = parameters.find((p) => p.in === 'path' && p.name === name) ?? { schema: {} };
    return encoded(String(fitting(dice, { ...schema, type: 'string' }, nameOf(path, name), suggest)));
  });
}

/** What `{name}` stands for is told by the segment before. */
export function nameOf(path: string, name: string): string {
  const before = path
    .slice(0, path.indexOf(`{${name}}`))
    .split('/')
    .at(-2);
  if (name === 'id') return `id of ${before}`;
  if (name !== 'name') return name;
  const kinds: Record<string, string> = {
    principals: 'principal',
    groups: 'group',
    repositories: 'repository',
    'package-indexes': 'index',
    secrets: 'secret',
    tables: 'table',
  };
  return kinds[before ?? ''] ?? name;
}

function makeQuery(dice: Dice, { parameters }: Operation, suggest: Suggest, manner: Manner): string {
  const parts: string[] = [];
  for (const { name, in: place, required, schema } of parameters) {
    if (place !== 'query' || !(required || dice.chance(0.3))) continue;
    const wrong = manner !== 'valid' && dice.chance(0.4);
    const value = wrong ? nastyText(dice).slice(0, 3000) : String(fitting(dice, schema, name, suggest));
    parts.push(`${name}=${encoded(value)}`);
    if (manner === 'hostile' && dice.chance(0.1)) parts.push(`${name}=${encoded(value)}`);
  }
  if (manner === 'hostile' && dice.chance(0.15))
    parts.push(dice.pick(['x=1', '__proto__[a]=1', 'limit[]=1', '&&', '=', '%', '%ff=%ff']));
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

const NASTY_HEADERS: [string, string][] = [
  ['Accept', 'text/plain'],
  ['Accept-Encoding', 'gzip, br'],
  ['Content-Encoding', 'gzip'],
  ['Expect', '100-continue'],
  ['If-Match', '*'],
  ['If-None-Match', '"x"'],
  ['Idempotency-Key', 'x'.repeat(256)],
  ['Idempotency-Key', 'fuzz'],
  ['Idempotency-Key', '\u00ff'],
  ['Range', 'bytes=0-0,5-'],
  ['If-None-Match', '*'],
  ['Idempotency-Key', '018f3c5e-7c3a-7000-8000-00000000000a'],
  ['X-Iceberg-Access-Delegation', 'vended-credentials,remote-signing'],
  ['X-Iceberg-Access-Delegation', '\u00ff'],
  ['Svc-Break-Glass', 'because'],
  ['Svc-Break-Glass', '%'],
  ['Svc-Break-Glass', '%00'],
  ['traceparent', '00-zz'],
  ['Transfer-Encoding', 'chunked'],
  ['X-Forwarded-For', '127.0.0.1, \u00e9'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Request-Id', 'x'.repeat(200)],
  ['X-Request-Id', 'fuzz-\u00e9'],
];

function makeHeaders(dice: Dice, manner: Manner): Record<string, string> {
  const headers: Record<string, string> = {};
  if (manner === 'valid') return headers;
  for (let n = dice.below(manner === 'hostile' ? 4 : 2); n > 0; n--) {
    const [name, value] = dice.pick(NASTY_HEADERS);
    headers[name] = value;
  }
  return headers;
}

const NASTY_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data',
  '',
  'a/b;c',
  'text/csv',
];
const NASTY_BODIES: (string | Buffer)[] = [
  '',
  ' ',
  '{',
  '[]',
  'null',
  '"x"',
  '1e999',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '\ufeff{}',
  '{"name":"\\ud800"}',
  '{"name":"\\u0000"}',
  `{"days":${'9'.repeat(400)}}`,
  '['.repeat(5000),
  `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
  Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
  Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from('1f8b08000000000000ff', 'hex'),
  Buffer.from('PAR1PAR1'),
  'id,name\n1,"open',
  'id\0,name\n1,2\n',
  '{"id":1}\n{"id":',
  '\n'.repeat(10_000),
];

function makeBody(dice: Dice, { bodies, method, path }: Operation, { suggest, env }: Known, manner: Manner) {
  const types = Object.keys(bodies);
  if (types.length === 0) {
    const unasked = manner === 'hostile' && dice.chance(0.2) && method !== 'GET';
    return unasked
      ? { body: Buffer.from(dice.pick(NASTY_BODIES)), type: 'application/json' }
      : { body: null, type: null };
  }
  const type = manner === 'hostile' && dice.chance(0.15) ? dice.pick(NASTY_TYPES) : dice.pick(types);
  if (manner === 'hostile' && dice.chance(0.05)) return { body: null, type };
  if (!type.includes('json') || type.includes('ndjson')) return { body: streamed(dice, type, manner), type };
  const schema = bodies[types[0]!] as Schema;
  const recipes = RECIPES[`${method} ${path}`];
  if (manner === 'valid' && recipes !== undefined && dice.chance(0.7))
    return { body: Buffer.from(JSON.stringify(dice.pick(recipes)).replaceAll('"dev"', JSON.stringify(env))), type };
  if (manner === 'hostile' && dice.chance(0.4)) return { body: Buffer.from(dice.pick(NASTY_BODIES)), type };
  const value =
    manner === 'valid'
      ? fitting(dice, schema, '', suggest)
      : manner === 'nearly'
        ? nearlyFitting(dice, schema, suggest)
        : anything(dice, 4);
  return { body: Buffer.from(JSON.stringify(value)), type };
}

function streamed(dice: Dice, type: string, manner: Manner): Buffer {
  if (manner !== 'valid') return Buffer.from(dice.pick(NASTY_BODIES));
  return Buffer.from(type.includes('ndjson') ? '{"id":3,"name":"c"}\n' : 'id,name\n3,c\n');
}
