import type { TestService } from '../test-service.ts';
import { catalogOperations } from './catalog-operations.ts';
import { Dice } from './dice.ts';
import { operations } from './document.ts';
import { faultOf, lacksRight } from './judge.ts';
import { type FuzzRequest, makeRequest, nameOf } from './requests.ts';
import { Sender } from './send.ts';
import { type Who, World } from './world.ts';

export { SMUGGLED, smuggled } from './smuggled.ts';
export { nameOf, World };

const AT_ONCE = 8;
/** Requests between two looks at whether the world still stands. */
const ROUND = 400;
/** Each hashes a password or counts a failure, and after 50 all others are refused for a while. */
const SIGN_IN_SHARE = 0.02;

export interface Fuzzed {
  sent: number;
  /** Answers by status. */
  statuses: Record<string, number>;
  /** Each kind of fault once, with a request that shows it. */
  faults: string[];
  /** Routes that never answered with success, as the administrator. */
  barren: string[];
}

const WHO: readonly Who[] = ['administrator', 'administrator', 'administrator', 'reader', 'stranger', 'task', 'nobody'];

/** Sends that many requests, made from the service's own OpenAPI document; the same ones for the same seed. */
export async function fuzz(service: TestService, { seed, count }: { seed: number; count: number }): Promise<Fuzzed> {
  const dice = new Dice(seed);
  const all = [...operations(), ...catalogOperations()];
  const world = new World(service);
  const sender = new Sender(service.url);
  const statuses: Record<string, number> = {};
  const faults = new Map<string, string>();
  const fruitful = new Set<string>();
  /** Requests that were refused for want of a right, by their ids. */
  const denied = new Map<string, string>();
  const signIn = all.findIndex(({ path }) => path.endsWith('/sign-in'));
  await world.refresh();

  const one = async (request: FuzzRequest, who: Who) => {
    const { operation, method, target } = request;
    const answer = await sender.send(request, world.tokenOf(who)).catch((error) => new Error(String(error)));
    const fault = answer instanceof Error ? `no answer: ${answer.message}` : faultOf(request, answer);
    if (!(answer instanceof Error)) {
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status < 300) fruitful.add(`${operation.method} ${operation.path}`);
      if (lacksRight(request, answer))
        denied.set(String(answer.headers['x-request-id']), `${operation.method} ${operation.path}`);
      if (operation.statuses !== null && (answer.status === 201 || answer.status === 202))
        world.saw(operation.path.split('/').at(-1)!, JSON.parse(answer.body.toString()));
      const cursor = answer.headers['x-next-cursor'];
      if (typeof cursor === 'string') world.sawCursor(cursor);
    }
    if (fault === null) return;
    const key = `${operation.method} ${operation.path}: ${fault}`;
    const told = answer instanceof Error ? '' : answer.body.toString('utf8').slice(0, 400);
    const body = request.body?.toString('utf8').slice(0, 4000) ?? '';
    if (!faults.has(key)) {
      const headers = JSON.stringify(request.headers);
      faults.set(key, `${key}\n  as ${who}: ${method} ${target.slice(0, 500)} ${headers}\n  ${body}\n  → ${told}`);
    }
  };

  let sent = 0;
  while (sent < count) {
    const round = Array.from({ length: Math.min(ROUND, count - sent) }, () => {
      let operation = dice.pick(all);
      if (operation === all[signIn] && !dice.chance(SIGN_IN_SHARE)) operation = all[(signIn + 1) % all.length]!;
      return { request: makeRequest(dice, operation, world), who: dice.pick(WHO) };
    });
    sent += round.length;
    const lanes = Array.from({ length: AT_ONCE }, async () => {
      for (let next = round.pop(); next !== undefined; next = round.pop()) await one(next.request, next.who);
    });
    await Promise.all(lanes);
    for (const route of await unrecorded(service, denied)) faults.set(route, `${route}: a refusal without its event`);
    denied.clear();
    await world.refresh();
  }
  sender.close();
  const barren = all.map(({ method, path }) => `${method} ${path}`).filter((route) => !fruitful.has(route));
  return { sent, statuses, faults: [...faults.values()], barren };
}

/** Routes of those requests that have no AUTHORIZATION_DENIED. */
async function unrecorded({ database }: TestService, denied: ReadonlyMap<string, string>): Promise<string[]> {
  const ids = [...denied.keys()];
  const found = await database.db.prisma.$queryRaw<{ request_id: string }[]>`
    SELECT request_id FROM audit_events WHERE type = 'AUTHORIZATION_DENIED' AND request_id = ANY(${ids})`;
  const recorded = new Set(found.map(({ request_id }) => request_id));
  return ids.filter((id) => !recorded.has(id)).map((id) => `${denied.get(id)!} (${id})`);
}
