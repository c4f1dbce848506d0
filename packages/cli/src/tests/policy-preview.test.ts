import { type ScriptedService, startService } from '@svc/sdk/testing';
import { svc } from '../testing/run-svc.ts';

const PREVIEW = { table: 'sales.orders', principal: 'ann', active: true, readable: true, reason: null };
const target = { id: 'p1', table: 'sales.orders', created_at: '2026-02-01T08:00:00.000Z', created_by: null };
const query = { id: 'q1', status: 'SUCCEEDED', into: null, row_count: 1, progress: 1, error: null };
const page = { columns: [{ name: 'email', type: 'string' }], rows: [['hidden']], next_cursor: null };

let service: ScriptedService;
let preview: object;
beforeEach(async () => {
  service = await startService(({ url }) => {
    if (url.includes('/previews')) return { status: 201, body: preview };
    return { body: url.includes('/results') ? page : query };
  });
});
afterEach(() => service.close());

const run = (...args: string[]) =>
  svc(['policy', 'preview', 'sales.orders', ...args], {
    env: { SVC_URL: service.url, SVC_TOKEN: 'svc_pat_x', SVC_ENV: 'dev' },
  });

test('a preview prints the policies that apply, and the rows (ACCESS-29)', async () => {
  preview = {
    ...PREVIEW,
    active: false,
    row_filters: [{ ...target, principal: null, group: 'emea', predicate: "region = 'EMEA'" }],
    column_masks: [{ ...target, principal: 'ann', group: null, column: 'email', expression: "'hidden'" }],
    query_id: 'q1',
  };
  const { code, stdout, stderr } = await run('--principal', 'ann', '--limit', '10');
  expect(code).toBe(0);
  expect(stderr).toContain('ann is deactivated: these are the rows that its grants would allow.');
  expect(stderr).toContain("Row filter (group emea): region = 'EMEA'\nMask of email: 'hidden'");
  expect(stdout).toContain('hidden');
  expect(JSON.parse(service.received[0]!.body.toString())).toEqual({ principal: 'ann', limit: 10 });
});

test('a table that the principal cannot read comes with the reason, and runs no query (ACCESS-31)', async () => {
  const reason = 'no grant allows READ_TABLE on dev/sales/orders';
  preview = { ...PREVIEW, readable: false, reason, row_filters: [], column_masks: [], query_id: null };
  const { code, stdout } = await run('--principal', 'ann');
  expect([code, stdout]).toEqual([0, `ann can't read sales.orders: ${reason}.\n`]);
  expect(service.received.length).toBe(1);
  expect((await run()).code).toBe(2);
});
