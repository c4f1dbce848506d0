import { TOKEN } from '../test-service.ts';
import { AIMS } from './aims.ts';
import { CATALOG_BODIES, FORMS, locations } from './catalog-bodies.ts';
import type { Seen, SeenTable } from './catalog-world.ts';
import type { Dice } from './dice.ts';
import type { Operation, Schema } from './document.ts';
import { NASTY_BODIES, NASTY_HEADERS, NASTY_SEGMENTS, NASTY_TYPES } from './nasty.ts';
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

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** What requests may name. */
export interface Known {
  suggest: Suggest;
  /** The environment of most requests. */
  env: string;
  catalog: Seen;
  /** The location of the warehouse. */
  warehouse: string;
}

type Manner = 'valid' | 'nearly' | 'hostile';
export const MANNERS: readonly Manner[] = ['valid', 'valid', 'nearly', 'hostile'];

/** A request of this operation: valid, nearly valid or invalid. */
export function makeRequest(dice: Dice, operation: Operation, known: Known, manner: Manner): FuzzRequest {
  const { tables } = known.catalog;
  const protocol = operation.statuses === null;
  const aim = protocol && tables.length > 0 && dice.chance(0.7) ? dice.pick(tables) : null;
  const suggest = aimedOf(dice, operation, aim === null ? known : { ...known, suggest: aimedAt(aim, known.suggest) });
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

/** The needs of single routes, most of the time. */
function aimedOf(dice: Dice, { method, path }: Operation, { suggest, env }: Known): Suggest {
  const aims = AIMS[`${method} ${path}`];
  if (aims === undefined || dice.chance(0.1)) return suggest;
  return (field) => aims[field]?.map((name) => (name === 'dev' ? env : name)) ?? suggest(field);
}

/** The path names the table that the body was made for. */
const aimedAt =
  ({ namespace, name }: SeenTable, suggest: Suggest): Suggest =>
  (field) =>
    field === 'namespace' ? [namespace] : field === 'table' ? [name] : suggest(field);

function makeProtocolBody(dice: Dice, { id, bodies }: Operation, known: Known, manner: Manner) {
  const [type] = Object.keys(bodies);
  if (type === undefined) return { body: null, type: null };
  if (id === 'getToken')
    return { body: Buffer.from(dice.pick(FORMS(dice.chance(0.3) ? TOKEN : 'no-token-of-anybody'))), type };
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
  for (let n = 0; n < twists; n++) body = twisted(dice, body, locations(catalog, names));
  return { body: Buffer.from(written(body)), type };
}

function makePath(dice: Dice, { path, parameters }: Operation, suggest: Suggest, manner: Manner): string {
  const wrong = manner === 'hostile' ? 0.3 : manner === 'nearly' ? 0.05 : 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (dice.chance(wrong))
      return dice.chance(0.5) ? dice.pick(NASTY_SEGMENTS) : encoded(nastyText(dice).slice(0, 4000));
    const { schema } = parameters.find((p) => p.in === 'path' && p.name === name) ?? { schema: {} };
    return encoded(String(fitting(dice, { ...schema, type: 'string' }, nameOf(path, name), suggest)));
  });
}

/** The preceding segment determines what `{name}` means. */
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
    'identity-providers': 'provider',
    secrets: 'secret',
    tables: 'table',
  };
  return kinds[before ?? ''] ?? name;
}

function makeQuery(dice: Dice, { parameters }: Operation, suggest: Suggest, manner: Manner): string {
  const parts: string[] = [];
  for (const { name, in: location, required, schema } of parameters) {
    if (location !== 'query' || !(required || dice.chance(0.3))) continue;
    const wrong = manner !== 'valid' && dice.chance(0.4);
    const value = wrong ? nastyText(dice).slice(0, 3000) : String(fitting(dice, schema, name, suggest));
    parts.push(`${name}=${encoded(value)}`);
    if (manner === 'hostile' && dice.chance(0.1)) parts.push(`${name}=${encoded(value)}`);
  }
  if (manner === 'hostile' && dice.chance(0.15))
    parts.push(dice.pick(['x=1', '__proto__[a]=1', 'limit[]=1', '&&', '=', '%', '%ff=%ff']));
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function makeHeaders(dice: Dice, manner: Manner): Record<string, string> {
  const headers: Record<string, string> = {};
  if (manner === 'valid') return headers;
  for (let n = dice.below(manner === 'hostile' ? 4 : 2); n > 0; n--) {
    const [name, value] = dice.pick(NASTY_HEADERS);
    headers[name] = value;
  }
  return headers;
}

/** `<x>` in a recipe is replaced by a possible value of a field `x`. */
function cooked(dice: Dice, recipe: unknown, { suggest, env }: Pick<Known, 'suggest' | 'env'>): string {
  const text = JSON.stringify(recipe).replaceAll('"dev"', JSON.stringify(env));
  return text.replaceAll(/"<(\w+)>"/g, (_, name: string) => {
    const known = suggest(name);
    return known.length === 0 ? 'null' : JSON.stringify(dice.pick(known));
  });
}

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
    return { body: Buffer.from(cooked(dice, dice.pick(recipes), { suggest, env })), type };
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
