// One decision in memory: the rule of core beside libraries with the same rights in their own formats, already
// parsed. The object is a table three namespaces deep; every grant covers it or a sibling of it.
import { createMongoAbility, subject } from '@casl/ability';
import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import {
  type Action,
  decide,
  type EffectiveGrant,
  namespaceChain,
  type ObjectScope,
  ROLE_ACTIONS,
} from '@svc/core/access';
import { newEnforcer, newModelFromString } from 'casbin';
import { bar, figures, interleaveBatches, table } from '../database/timing.ts';

const TARGET: ObjectScope = { kind: 'TABLE', environment: 'prod', namespace: 'sales.eu.web', table: 'orders' };
const ALLOWED: Action = 'WRITE_TABLE';
const DENIED: Action = 'MANAGE_SECRET';
const BATCHES = 15;

/** `count` grants as an authorised request finds them: single actions, the last one a role on the environment. */
function effectiveGrants(count: number): EffectiveGrant[] {
  const scopes: ObjectScope[] = [
    { kind: 'INSTANCE', environment: null, namespace: null, table: null },
    ...namespaceChain('sales.eu.web').map((namespace) => ({
      ...TARGET,
      kind: 'NAMESPACE' as const,
      namespace,
      table: null,
    })),
    TARGET,
  ];
  return Array.from({ length: count }, (_, i) => {
    const last = i === count - 1;
    return {
      grant_id: String(i),
      role: last ? 'DATA_ENGINEER' : null,
      action: last ? null : 'READ_TABLE',
      scope: last
        ? { kind: 'ENVIRONMENT', environment: 'prod', namespace: null, table: null }
        : scopes[i % scopes.length]!,
      group: i % 2 === 0 ? `group ${i}` : null,
      created_at: i,
    };
  });
}

const path = ({ environment, namespace, table }: ObjectScope): string =>
  ['', environment, ...(namespace?.split('.') ?? []), table].filter((part) => part !== null).join('/');
const chain = [
  '',
  '/prod',
  ...namespaceChain('sales.eu.web').map((ns) => `/prod/${ns.replaceAll('.', '/')}`),
  path(TARGET),
];
const actionsOf = (grant: EffectiveGrant): readonly Action[] =>
  grant.role === null ? [grant.action!] : ROLE_ACTIONS[grant.role];

type Peer = (action: Action) => boolean;

async function casbin(grants: readonly EffectiveGrant[]): Promise<Peer> {
  const model = newModelFromString(`
    [request_definition]
    r = sub, obj, act
    [policy_definition]
    p = sub, obj, act
    [policy_effect]
    e = some(where (p.eft == allow))
    [matchers]
    m = r.sub == p.sub && covers(p.obj, r.obj) && allows(p.act, r.act)`);
  const enforcer = await newEnforcer(model);
  await enforcer.addFunction(
    'covers',
    (outer: string, inner: string) => inner === outer || inner.startsWith(`${outer}/`),
  );
  const sets = new Map(grants.map((grant) => [actionsOf(grant).join(), new Set<string>(actionsOf(grant))]));
  await enforcer.addFunction('allows', (actions: string, action: string) => sets.get(actions)!.has(action));
  for (const grant of grants) await enforcer.addPolicy('ana', path(grant.scope), actionsOf(grant).join());
  return (action) => enforcer.enforceSync('ana', path(TARGET), action);
}

function casl(grants: readonly EffectiveGrant[]): Peer {
  const rules = grants.map((grant) => ({
    action: [...actionsOf(grant)],
    subject: 'Table',
    conditions: { chain: path(grant.scope) },
  }));
  const ability = createMongoAbility(rules);
  return (action) => ability.can(action, subject('Table', { chain }));
}

function cedarWasm(grants: readonly EffectiveGrant[]): Peer {
  const id = (name: string) => ({ type: 'Object', id: name });
  const policies = grants.map(
    (grant) => `permit (principal == User::"ana",
      action in [${actionsOf(grant)
        .map((action) => `Action::"${action}"`)
        .join()}], resource in Object::"${path(grant.scope)}");`,
  );
  const set = `held ${grants.length}`;
  cedar.preparsePolicySet(set, { staticPolicies: policies.join('\n'), templates: {}, templateLinks: [] });
  const entities = chain.map((name, i) => ({ uid: id(name), attrs: {}, parents: i === 0 ? [] : [id(chain[i - 1]!)] }));
  return (action) => {
    const response = cedar.statefulIsAuthorized({
      principal: { type: 'User', id: 'ana' },
      action: { type: 'Action', id: action },
      resource: id(path(TARGET)),
      context: {},
      preparsedPolicySetId: set,
      validateRequest: false,
      entities,
    });
    if (response.type === 'failure') throw new Error(response.errors.map(({ message }) => message).join());
    return response.response.decision === 'allow';
  };
}

export async function measureDecisions(): Promise<void> {
  console.log('Decision in memory, µs (p50 of batches); the peers are prepared beforehand:\n');
  const rows: (string | number)[][] = [];
  let slowest = 0;
  for (const count of [3, 50, 500]) {
    const grants = effectiveGrants(count);
    const peers: Record<string, Peer> = { casbin: await casbin(grants), casl: casl(grants), cedar: cedarWasm(grants) };
    for (const [decision, action] of [
      ['allow', ALLOWED],
      ['deny', DENIED],
    ] as const) {
      const contestants = { ours: () => decide(grants, action, TARGET).allowed } as Record<string, () => boolean>;
      for (const [name, peer] of Object.entries(peers)) contestants[name] = () => peer(action);
      for (const [name, check] of Object.entries(contestants))
        if (check() !== (decision === 'allow')) throw new Error(`${name} does not ${decision} with ${count} grants`);
      const times = interleaveBatches(BATCHES, count > 100 ? 30 : 200, contestants);
      const ours = figures(times['ours']!).p50;
      const others = Object.keys(peers).map((name) => figures(times[name]!).p50);
      if (count <= 50) slowest = Math.max(slowest, ours);
      rows.push([`${count} grants, ${decision}`, ours, ...others, `${(Math.min(...others) / ours).toFixed(1)} ×`]);
    }
  }
  table(['', 'ours', 'casbin', '@casl/ability', 'cedar-wasm', 'fastest peer ÷ ours'], rows);
  bar(`a decision over up to 50 grants takes at most 20 µs: ${slowest.toFixed(2)}`, slowest <= 20);
}
