import { type ScriptedService, startService } from '@svc/sdk/testing';
import { svc } from '../testing/run-svc.ts';

const [ID, AGAINST] = ['01997c2e-7b7a-7c1e-8000-000000000001', '01997c2e-7b7a-7c1e-8000-000000000002'] as const;
const CHANGES = {
  ...{ project_version_id: ID, against: AGAINST },
  assets: {
    added: [],
    removed: [],
    changed: [{ name: 'marts.days', kind: 'table', changes: ['sql'], columns: null }],
  },
  jobs: { added: [], removed: ['nightly'], changed: [] },
  sources: [
    { file: 'assets/marts/days.sql', assets: ['marts.days'], before: 'SELECT 1\nFROM a', after: 'SELECT 2\nFROM a' },
    { file: 'new\u001b[2J.py', assets: [], before: null, after: '\tx = "\u202e"\n' },
  ],
  omitted_sources: 1,
};

let service: ScriptedService;
beforeAll(async () => {
  service = await startService(() => ({ body: CHANGES }));
});
afterAll(() => service.close());

test('compares two versions with the lines that differ, and no raw control characters (DEPLOY-26)', async () => {
  const argv = ['project-version', 'diff', ID, '--against', AGAINST, '--env', 'dev'];
  const { code, stdout, stderr } = await svc(argv, { url: service.url });
  expect([code, stdout.split('\n'), stderr.trim()]).toEqual([
    0,
    [
      `${ID} compared with ${AGAINST}:`,
      'Assets:',
      '  changed  marts.days: sql',
      'Jobs:',
      '  removed  nightly',
      '--- assets/marts/days.sql',
      '+++ assets/marts/days.sql',
      '@@ -1,2 +1,2 @@',
      '-SELECT 1',
      '+SELECT 2',
      ' FROM a',
      '--- /dev/null',
      '+++ new\\u001b[2J.py',
      '@@ -0,0 +1,1 @@',
      '+    x = "\\u202e"',
      '',
    ],
    "1 file more: too large, or of tables that you can't read",
  ]);
  expect(service.received.at(-1)!.url).toBe(
    `/api/v1/environments/dev/project-versions/${ID}/changes?against=${AGAINST}`,
  );
});
