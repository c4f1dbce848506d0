import { randomUUID } from 'node:crypto';
import { scopeOf } from '@svc/core/access';
import { createEnvironment } from '../environments/index.ts';
import { createNamespace } from '../namespaces/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { authorizeRequest, bootstrapAdmin, createGrant, openAuthorizer } from './index.ts';

let test_: TestDatabase;
const now = new Date('2026-03-01T08:00:00Z');
const TOKEN = new Uint8Array(32).fill(1);

beforeAll(async () => {
  test_ = await createTestDatabase({ poolSize: 8 });
  const { prisma } = test_.db;
  await bootstrapAdmin(prisma, { tokenHash: TOKEN, now, newId: randomUUID });
  const admin = await prisma.principal.findFirstOrThrow();
  for (const name of ['one', 'two']) {
    const environmentId = randomUUID();
    const base = { createdBy: admin.id, description: null, now };
    await createEnvironment(prisma, { ...base, id: environmentId, name, protected: false });
    for (const path of ['a', 'a.b', 'a.b.c', 'd']) {
      const id = randomUUID();
      await createNamespace(prisma, { ...base, id, environmentId, path });
      const object = {
        kind: 'NAMESPACE',
        environmentId,
        namespaceId: id,
        tableId: null,
        serviceAccountId: null,
      } as const;
      const grant = { object, principalId: admin.id, groupId: null, role: null, action: 'READ_TABLE' } as const;
      await createGrant(prisma, { ...grant, id: randomUUID(), createdBy: null, expiresAt: null, now });
    }
  }
});
afterAll(() => test_.drop());

const NAMES = [
  {},
  { environment: 'one' },
  { environment: 'none' },
  { environment: "o'ne", namespace: 'a.b' },
  { environment: 'one', namespace: 'a' },
  { environment: 'one', namespace: 'A.B' },
  { environment: 'two', namespace: 'a.b.c' },
  { environment: 'two', namespace: 'a.b.c.none', table: 't' },
  { environment: 'one', namespace: '{a,d}' },
  { environment: 'one', namespace: 'd', table: 'no " table' },
  { environment: 'one', namespace: 'a.b.c.d.e.f', table: 'ALLES' },
].map((names) => scopeOf(names));

const requests = [TOKEN, new Uint8Array(32)].flatMap((tokenHash) =>
  NAMES.flatMap((names) => [false, true].map((files) => ({ tokenHash, now, names, files }))),
);

test('a batch of requests gets the same results as separate requests', async () => {
  const authorize = openAuthorizer(test_.db.prisma);
  const together = await Promise.all(requests.map(authorize));
  const alone = [];
  for (const request of requests) alone.push(await authorizeRequest(test_.db.prisma, request));
  expect(together).toEqual(alone);
  expect(alone.filter((answer) => answer === null)).toHaveLength(requests.length / 2);
  const deep = alone[NAMES.findIndex(({ namespace }) => namespace === 'a.b.c') * 2]!;
  expect(deep.grants.map(({ scope }) => scope.namespace).sort()).toEqual(['a', 'a.b', 'a.b.c', null]);
  expect(deep.object.namespace!.path).toBe('a.b.c');
});

test('a name that Postgres rejects fails only its own request', async () => {
  const authorize = openAuthorizer(test_.db.prisma);
  const request = (environment: string) => authorize({ tokenHash: TOKEN, now, names: scopeOf({ environment }) });
  const results = await Promise.allSettled(['one', 'one', 'n\u0000l', 'two', 'one'].map(request));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
});
