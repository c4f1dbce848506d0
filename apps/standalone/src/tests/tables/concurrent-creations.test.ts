import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

// More than there are connections to the database.
const CLIENTS = 30;
const numbers = Array.from({ length: CLIENTS }, (_, i) => i);

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  await s.client.namespaces.create('dev', 'shop');
});
afterAll(() => s.stop());

test('many clients create tables at the same time', async () => {
  const columns = [{ name: 'id', type: 'int' }];
  await Promise.all(numbers.map((i) => s.client.tables.create('dev', `shop.t${i}`, { columns } as never)));
  const same = await Promise.allSettled(
    numbers.map(() => s.client.tables.create('dev', 'shop.same', { columns } as never)),
  );
  expect(same.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  const codes = same.map((result) => (result.status === 'rejected' ? result.reason.code : null));
  expect(new Set(codes)).toEqual(new Set([null, 'already-exists']));
});

test('many engines create tables at the same time', async () => {
  const field = { id: 1, name: 'id', type: 'int', required: false };
  const create = (name: string) =>
    fetch(`${s.url}/catalog/v1/dev/namespaces/shop/tables`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, schema: { type: 'struct', 'schema-id': 0, fields: [field] } }),
    });
  const statuses = await Promise.all(numbers.map(async (i) => (await create(`engine${i}`)).status));
  expect(statuses).toEqual(numbers.map(() => 200));
});
