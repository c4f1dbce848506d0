import { deployFiles } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
});
afterAll(() => s.stop());

test('moving the secret of a webhook warns which jobs no longer call it, until they are undeployed', async () => {
  await s.client.environments.create('dev');
  await s.client.repositories.create({ name: 'shop' });
  await s.client.packageIndexes.create('corp', 'https://packages.example.org/simple');
  const values = { url: 'https://hooks.example.org/x', password: 'x' };
  await s.client.secrets.create('dev', 'alerts', values, { environment: true });
  const job = (webhook: string) => `{select: ["*"], notify: {webhook: ${webhook}}}`;
  const deployed = await deployFiles(
    s.client,
    { env: 'dev', repository: 'shop', folder: s.folder },
    {
      'svc.yaml': `jobs: {nightly: ${job('alerts')}, weekly: ${job('alerts')}, other: ${job('others')}}\n`,
      'assets/raw/orders.sql': 'SELECT 1 AS id',
    },
  );
  expect(deployed.status).toBe('succeeded');
  const { warnings } = await s.client.secrets.bind('dev', 'alerts', { index: 'corp' });
  expect(warnings).toEqual([
    'the webhook of the jobs nightly, weekly in dev is no longer called: svc secret bind alerts --env dev --environment',
  ]);
  expect((await s.client.secrets.bind('dev', 'alerts', { environment: true })).warnings).toEqual([]);
  await s.client.deployments.undeploy('dev', 'shop');
  expect((await s.client.secrets.bind('dev', 'alerts', { index: 'corp' })).warnings).toEqual([]);
});
