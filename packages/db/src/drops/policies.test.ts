import { randomUUID } from 'node:crypto';
import { deleteGroup, deletePrincipal } from '../access/index.ts';
import { inTransaction } from '../connection/index.ts';
import { createTestDatabase, statementBlocked, type TestDatabase } from '../testing/index.ts';
import { restorePolicies } from './index.ts';

let test_: TestDatabase;
const now = new Date('2026-01-01T00:00:00Z');
const by = randomUUID();

beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

const GRANTEES = {
  async principal(id: string) {
    await test_.db.prisma.principal.create({ data: { id, name: id, type: 'person', created_at: now } });
    return { principal_id: id };
  },
  async group(id: string) {
    await test_.db.prisma.group.create({ data: { id, name: id, created_at: now } });
    return { group_id: id };
  },
};

test.each(['principal', 'group'] as const)(
  'a policy stays revoked if its %s is deleted while a restore waits (DROP-6)',
  async (kind) => {
    const { db } = test_;
    const [grantee, tableId, dropId] = [randomUUID(), randomUUID(), randomUUID()];
    const revoked = { ended_at: now, ended_by_drop: dropId };
    const at = { environment_id: tableId, namespace_id: tableId, table_id: tableId, object_id: tableId };
    const grant = { id: randomUUID(), action: 'READ_TABLE', kind: 'TABLE', ...at };
    const to = await GRANTEES[kind](grantee);
    await db.prisma.grant.create({ data: { ...grant, ...to, ...revoked, created_at: now } });
    let restoring: Promise<unknown> = Promise.resolve();
    await inTransaction(db, async (tx) => {
      if (kind === 'group') await deleteGroup(tx, { groupId: grantee, by, now });
      else await deletePrincipal(tx, { principalId: grantee, by, now });
      restoring = inTransaction(db, (other) => restorePolicies(other, [dropId]));
      await statementBlocked(db);
    });
    expect(await restoring).toEqual([]);
    expect((await db.prisma.grant.findUniqueOrThrow({ where: { id: grant.id } })).ended_at).toEqual(now);
  },
);
