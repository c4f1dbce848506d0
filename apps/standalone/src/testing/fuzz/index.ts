import type { TestService } from '../test-service.ts';
import { NEXT } from './aims.ts';
import { catalogOperations } from './catalog-operations.ts';
import { Dice } from './dice.ts';
import { operations } from './document.ts';
import { faultOf, lacksRight } from './judge.ts';
import { type FuzzRequest, MANNERS, makeRequest, nameOf } from './requests.ts';
import { type FuzzAnswer, Sender } from './send.ts';
import { type Who, World } from './world.ts';

export { SMUGGLED, smuggled } from './smuggled.ts';
export { nameOf, World };

const AT_ONCE = 8;
/** Requests between two checks of the world. */
const ROUND = 400;
/** Each one hashes a password or counts a failure, and after 50, all others are refused for a while. */
const PASSWORDS = ['/sign-in', '/me/password'];
const PASSWORD_SHARE = 0.1;
/** The share of valid requests to a route that hasn't succeeded yet. */
const UNMET_SHARE = 0.1;
/** The share of requests whose record is requested immediately. */
const NEXT_SHARE = 0.5;

export interface Fuzzed {
  sent: number;
  /** The number of responses by status. */
  statuses: Record<string, number>;
  /** Each kind of fault once, with a request that shows it. */
  faults: string[];
  /** Routes that never succeeded for the administrator. */
  barren: string[];
}

const WHO: readonly Who[] = ['administrator', 'administrator', 'administrator', 'reader', 'stranger', 'task', 'nobody'];

/** Sends that many requests, made from the service's OpenAPI document; the same ones for the same seed. */
export async function fuzz(service: TestService, { seed, count }: { seed: number; count: number }): Promise<Fuzzed> {
  const dice = new Dice(seed);
  const all = [...operations(), ...catalogOperations()];
  const world = new World(service);
  const sender = new Sender(service.url);
  const statuses: Record<string, number> = {};
  const faults = new Map<string, string>();
  const fruitful = new Set<string>();
  /** The ids of requests that were refused because of a missing permission. */
  const denied = new Map<string, string>();
  const byRoute = new Map(all.map((operation) => [`${operation.method} ${operation.path}`, operation]));
  await world.refresh();

  const one = async (request: FuzzRequest, who: Who): Promise<unknown> => {
    const { operation, method, target } = request;
    const answer = await sender.send(request, world.tokenOf(who)).catch((error) => new Error(String(error)));
    const fault = answer instanceof Error ? `no answer: ${answer.message}` : faultOf(request, answer);
    const made = answer instanceof Error ? null : note(request, answer);
    if (fault === null) return made;
    const key = `${operation.method} ${operation.path}: ${fault}`;
    const excerpt = answer instanceof Error ? '' : answer.body.toString('utf8').slice(0, 400);
    const body = request.body?.toString('utf8').slice(0, 4000) ?? '';
    if (!faults.has(key)) {
      const headers = JSON.stringify(request.headers);
      faults.set(key, `${key}\n  as ${who}: ${method} ${target.slice(0, 500)} ${headers}\n  ${body}\n  → ${excerpt}`);
    }
    return null;
  };

  /** Learns from a response; returns the record that was created. */
  const note = (request: FuzzRequest, answer: FuzzAnswer): unknown => {
    const { operation } = request;
    const route = `${operation.method} ${operation.path}`;
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (answer.status < 300) fruitful.add(route);
    if (lacksRight(request, answer)) denied.set(String(answer.headers['x-request-id']), route);
    const cursor = answer.headers['x-next-cursor'];
    if (typeof cursor === 'string') world.sawCursor(cursor);
    if (operation.statuses === null || (answer.status !== 201 && answer.status !== 202)) return null;
    const made = JSON.parse(answer.body.toString()) as Record<string, unknown>;
    world.saw(operation.path.split('/').at(-1)!, { id: made['id'] ?? made['bundle_id'] });
    return made;
  };

  const withNext = async ({ request, who, next }: { request: FuzzRequest; who: Who; next: boolean }) => {
    const made = (await one(request, who)) as { id?: string } | null;
    const { operation, target } = request;
    if (!next || made?.id === undefined) return;
    const env = target.split('/')[4]!;
    for (const { method, path } of NEXT[`${operation.method} ${operation.path}`] ?? []) {
      const following = { operation: byRoute.get(`${method} ${path}`)!, method, headers: {}, body: null };
      await one({ ...following, target: path.replace('{env}', env).replace('{id}', made.id) }, 'administrator');
    }
  };

  let sent = 0;
  while (sent < count) {
    const unmet = all.filter(({ method, path }) => !fruitful.has(`${method} ${path}`));
    const round = Array.from({ length: Math.min(ROUND, count - sent) }, () => {
      const next = dice.chance(NEXT_SHARE);
      if (unmet.length > 0 && dice.chance(UNMET_SHARE))
        return { request: makeRequest(dice, dice.pick(unmet), world, 'valid'), who: 'administrator' as const, next };
      let operation = dice.pick(all);
      while (PASSWORDS.some((path) => operation.path.endsWith(path)) && !dice.chance(PASSWORD_SHARE))
        operation = dice.pick(all);
      return { request: makeRequest(dice, operation, world, dice.pick(MANNERS)), who: dice.pick(WHO), next };
    });
    sent += round.length;
    const before = await lastSealed(service);
    const lanes = Array.from({ length: AT_ONCE }, async () => {
      for (let next = round.pop(); next !== undefined; next = round.pop()) await withNext(next);
    });
    await Promise.all(lanes);
    for (const route of await unrecorded(service, denied, before))
      faults.set(route, `${route}: a refusal without its event`);
    denied.clear();
    await world.refresh();
  }
  sender.close();
  const barren = all.map(({ method, path }) => `${method} ${path}`).filter((route) => !fruitful.has(route));
  return { sent, statuses, faults: [...faults.values()], barren };
}

/** The number of the last event that has one: events written from now on get a higher number, or none yet. */
async function lastSealed({ database }: TestService): Promise<bigint> {
  const { sequence } = await database.db.prisma.auditHead.findFirstOrThrow();
  return sequence;
}

/** Routes of the requests that have no AUTHORIZATION_DENIED among the events after that number. */
async function unrecorded(
  { database }: TestService,
  denied: ReadonlyMap<string, string>,
  after: bigint,
): Promise<string[]> {
  const ids = [...denied.keys()];
  const found = await database.db.prisma.$queryRaw<{ request_id: string }[]>`
    SELECT request_id FROM (
      SELECT type, request_id FROM audit_events WHERE sequence > ${after}
      UNION ALL SELECT type, request_id FROM audit_events WHERE sequence IS NULL
    ) AS recent WHERE type = 'AUTHORIZATION_DENIED' AND request_id = ANY(${ids})`;
  const recorded = new Set(found.map(({ request_id }) => request_id));
  return ids.filter((id) => !recorded.has(id)).map((id) => `${denied.get(id)!} (${id})`);
}
