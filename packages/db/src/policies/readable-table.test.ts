import { randomUUID } from 'node:crypto';
import { decide, scopeOf } from '@svc/core/access';
import { addMembers, createGrant, createGroup, listEffectiveGrants, type NewGrant } from '../access/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { findReadableTable, openReadableTables } from './index.ts';

let test_: TestDatabase;
const now = new Date('2026-03-01T08:00:00Z');
const [ann, group] = [randomUUID(), randomUUID()];
const environments = ['dev', 'prod'].map((name) => ({ id: randomUUID(), name }));
const [dev] = environments as [(typeof environments)[number]];
const [NAMESPACES, TABLES] = [
  ['a', 'a.b', 'other'],
  ['One', 'two'],
];
/** By environment and name. */
const ids = new Map<string, string>();
/** Not exact as a double. */
const SNAPSHOT = 9_007_199_254_740_993n;

type Grantee = Pick<NewGrant, 'principalId' | 'groupId'>;
const [DIRECTLY, AS_MEMBER]: Grantee[] = [
  { principalId: ann, groupId: null },
  { principalId: null, groupId: group },
];

async function grant(grantee: Grantee, at: string | null, expiresAt: Date | null = null): Promise<string> {
  const [environment, name] = at?.split('/') ?? [];
  const environmentId = environments.find((one) => one.name === environment)?.id ?? null;
  const namespace = NAMESPACES.findLast((path) => name === path || TABLES.some((table) => name === `${path}.${table}`));
  const isTable = name !== undefined && name !== namespace;
  const kind = isTable ? 'TABLE' : name !== undefined ? 'NAMESPACE' : at !== null ? 'ENVIRONMENT' : 'INSTANCE';
  const id = randomUUID();
  await createGrant(test_.db.prisma, {
    ...{ id, ...grantee, role: null, action: 'READ_TABLE', createdBy: ann, expiresAt, now },
    object: {
      kind,
      environmentId,
      namespaceId: namespace === undefined ? null : ids.get(`${environment}/${namespace}`)!,
      tableId: isTable ? ids.get(at!)! : null,
      serviceAccountId: null,
    },
  });
  return id;
}

beforeAll(async () => {
  test_ = await createTestDatabase({ poolSize: 4 });
  const { prisma } = test_.db;
  await prisma.$executeRaw`
    INSERT INTO principals (id, name, type, active, created_at) VALUES (${ann}::uuid, 'ann', 'person', true, ${now})`;
  await createGroup(prisma, { id: group, name: 'readers', createdBy: ann, now });
  await addMembers(prisma, { groupId: group, members: [{ id: randomUUID(), principalId: ann }], by: ann, now });
  for (const { id: environment_id, name: environment } of environments) {
    await prisma.environment.create({ data: { id: environment_id, name: environment, created_at: now } });
    for (const path of NAMESPACES) {
      const namespace_id = randomUUID();
      ids.set(`${environment}/${path}`, namespace_id);
      await prisma.namespace.create({
        data: { id: namespace_id, environment_id, path, path_key: path, created_at: now },
      });
      for (const name of TABLES) {
        const id = randomUUID();
        ids.set(`${environment}/${path}.${name}`, id);
        const table = { id, environment_id, namespace_id, name, name_key: name.toLowerCase(), kind: 'managed' };
        const more = {
          columns: [],
          snapshot_id: SNAPSHOT,
          location: `memory:/${id}`,
          created_at: now,
          updated_at: now,
        };
        await prisma.table.create({ data: { ...table, ...more } });
      }
    }
  }
});
afterAll(() => test_.drop());
afterEach(() => test_.db.prisma.$executeRaw`DELETE FROM grants`);

const NAMED = [...NAMESPACES, 'A.B', 'a.b.c', 'none', '{a,other}'].flatMap((namespace) =>
  [...TABLES, 'ONE', 'none', 'no " table'].map((name) => ({ namespace, name })),
);
const requests = environments.flatMap((environment) =>
  NAMED.map((named) => ({ ...named, environment, principalId: ann, now })),
);

test('the grants with a table allow what all grants of the principal allow', async () => {
  const { prisma } = test_.db;
  const objects = [null, 'dev', ...['a', 'a.b', 'a.One', 'a.b.two'].map((name) => `dev/${name}`), 'prod/other.One'];
  let allowed = 0;
  for (const grantee of [DIRECTLY!, AS_MEMBER!]) {
    for (const object of objects) {
      const id = await grant(grantee, object);
      await grant(grantee, 'prod/a.b', now);
      for (const request of requests) {
        const { environment, namespace, name: table } = request;
        const scope = scopeOf({ environment: environment.name, namespace, table });
        const every = await listEffectiveGrants(prisma, { principalId: ann, environmentId: environment.id, now });
        const found = await findReadableTable(prisma, request);
        const decision = decide(found.grants, 'READ_TABLE', scope);
        // A grant on a table covers only a table that exists.
        if (found.table !== null || object === null || !object.includes('.')) {
          expect(decision).toEqual(decide(every, 'READ_TABLE', scope));
        }
        if (decision.allowed) expect(decision.via.map(({ grant_id }) => grant_id)).toEqual([id]);
        if (decision.allowed) allowed += 1;
      }
      await prisma.$executeRaw`DELETE FROM grants`;
    }
  }
  expect(allowed).toBeGreaterThan(100);
});

test('a batch of tables gets the same answers as single requests', async () => {
  const { prisma } = test_.db;
  await grant(DIRECTLY!, 'dev/a.b');
  await grant(AS_MEMBER!, null);
  const find = openReadableTables(prisma);
  const together = await Promise.all(requests.map(find));
  const alone = [];
  for (const request of requests) alone.push(await findReadableTable(prisma, request));
  expect(together).toEqual(alone);
  const found = await find({ environment: dev, namespace: 'A.b', name: 'ONE', principalId: ann, now });
  expect(found.table).toMatchObject({ namespace: 'a.b', name: 'One', snapshot_id: SNAPSHOT, policies: [], inside: [] });
  expect(found.grants.map(({ scope }) => scope.kind).sort()).toEqual(['INSTANCE', 'NAMESPACE']);
  const missing = await find({ environment: dev, namespace: 'a.b', name: 'none', principalId: ann, now });
  expect(missing.table).toBeNull();
  expect(missing.grants).toHaveLength(2);
});
