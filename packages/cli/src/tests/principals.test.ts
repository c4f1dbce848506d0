import { type ScriptedService, startService } from '@svc/sdk/testing';
import { svc } from '../testing/run-svc.ts';

const PASSWORD = 'correct horse battery staple';

let service: ScriptedService;
let type: string;
beforeAll(async () => {
  service = await startService(() => ({ body: { id: 'p1', name: 'ann', type, active: true, created_at: '' } }));
});
afterAll(() => service.close());

describe('svc principal create names the next command', () => {
  test.each<[string, string[], string]>([
    ['service-account', [], 'To issue a token for it: svc token issue ann TOKEN_NAME\n'],
    ['person', [], 'To set a password: svc principal set-password ann\n'],
    ['person', ['--password-stdin'], ''],
  ])('for a %s with %p', async (kind, argv, stderr) => {
    type = kind;
    const outcome = await svc(['principal', 'create', 'ann', '--type', kind, ...argv], {
      url: service.url,
      stdin: PASSWORD,
    });
    expect(outcome).toMatchObject({ code: 0, stderr });
  });
});

test.each(['--stdin', '--password-stdin'])('svc principal set-password reads the password with %s', async (option) => {
  service.received.length = 0;
  const outcome = await svc(['principal', 'set-password', 'ann', option], { url: service.url, stdin: PASSWORD });
  expect(outcome).toMatchObject({ code: 0 });
  expect(service.received.map(({ body }) => JSON.parse(String(body)))).toEqual([{ password: PASSWORD }]);
});
