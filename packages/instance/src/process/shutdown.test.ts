import { Shutdown } from './shutdown.ts';

test('steps run once, in reverse order, and the next even if one fails', async () => {
  const logged: unknown[] = [];
  const shutdown = new Shutdown({ error: (fields: object) => logged.push(fields) } as never);
  const ran: string[] = [];
  const failure = new Error('in use');
  shutdown.add(async () => ran.push('database'));
  shutdown.add(() => undefined);
  shutdown.add(() => {
    throw failure;
  });
  shutdown.add(async () => ran.push('api'));
  await expect(shutdown.run()).rejects.toMatchObject({
    message: "the service didn't stop cleanly",
    errors: [failure],
  });
  expect(ran).toEqual(['api', 'database']);
  expect(logged).toEqual([{ err: failure }]);
  await shutdown.run();
  expect(ran).toEqual(['api', 'database']);
});
