const at = (day: number, hour = 8) =>
  `2026-02-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;
const id = (n: number) => `01997c2e-7b7a-7c1e-8000-${String(n).padStart(12, '0')}`;

export const environment = {
  id: id(1),
  name: 'prod',
  protected: true,
  description: 'What customers see',
  retention_days: 90,
  created_at: at(1),
  deleted_at: null,
  purge_after: null,
};

export const searchResults = [
  { kind: 'table', name: 'sales.raw.orders', description: 'Orders as they come in', table: null, repository: null },
  {
    kind: 'column',
    name: 'sales.raw.orders.a\u001b[2J',
    description: 'An amount in euro, before taxes, in the currency of the shop',
    table: 'sales.raw.orders',
    repository: null,
  },
  { kind: 'job', name: 'orders nightly', description: null, table: null, repository: 'shop' },
];

export const table = {
  id: id(2),
  name: 'orders',
  namespace: 'sales.raw',
  kind: 'managed',
  description: 'Orders as they come in\u001b[2J',
  owner: 'ann',
  columns: [{ name: 'id', type: 'long', nullable: false, description: null }],
  identifier_fields: ['id'],
  location: 'file:///warehouse/1',
  row_count: 1234567,
  size_bytes: 45_600_000,
  created_at: at(1),
  updated_at: at(2),
  expires_at: at(9),
  expires_soon: true,
  hold: null,
  format: null,
  view_sql: null,
};

export const deletedEnvironment = { ...environment, name: 'staging', deleted_at: at(3), purge_after: at(10) };

export const droppedTable = {
  name: 'orders',
  namespace: 'sales.raw',
  uuid: id(2),
  kind: 'managed',
  dropped_at: at(3),
  purge_after: at(10),
  restorable: true,
  reason: 'user',
  held: false,
};

export const purge = {
  name: 'orders',
  namespace: 'sales.raw',
  uuid: id(2),
  state: 'deleting',
  dropped_at: at(3),
  purge_after: at(10),
  started_at: at(11),
  purged_at: null,
  files: 120_000,
  bytes: 45_600_000,
  attempts: 2,
  error: 'EACCES: permission denied',
  held: false,
};

export const expiring = {
  id: id(2),
  name: 'orders',
  namespace: 'sales.raw',
  kind: 'managed',
  owner: 'ann',
  expires_at: at(9),
  expires_soon: true,
  source: 'environment',
  days: 90,
  on: null,
  last_activity_at: at(2),
};

export const run = {
  id: id(3),
  environment: 'prod',
  repository: 'shop',
  project_version_id: id(4),
  principal: 'nightly-bot',
  requested_by: null,
  status: 'succeeded',
  select: ['tag:daily'],
  upstream: true,
  downstream: false,
  tasks: [
    { asset: 'sales.orders', status: 'succeeded', started_at: at(2), ended_at: at(2), rows: 10, error: null },
    {
      asset: 'sales.report',
      status: 'failed',
      started_at: at(2),
      ended_at: at(2),
      rows: null,
      error: { code: 'check-failed', detail: 'The check "no gaps" found 2 rows.', remedy: null },
    },
  ],
  error: null,
  created_at: at(2),
  started_at: at(2),
  ended_at: at(2, 9),
  job: 'nightly',
  trigger: 'schedule',
  scheduled_for: at(2),
  missed: 1,
};

const waiting = {
  job: 'report',
  repository: 'shop',
  trigger: 'manual',
  requested_at: at(3),
  scheduled_for: null,
  merged: 2,
  waits_for_run_id: id(3),
};

const nightly = {
  name: 'nightly',
  environment: 'prod',
  repository: 'shop',
  select: ['tag:daily'],
  upstream: true,
  downstream: false,
  cron: '30 5 * * 1-5',
  timezone: 'Europe/Berlin',
  state: 'scheduled',
  paused: false,
  next_run_at: at(4, 4).replace(':00:00', ':30:00'),
  next_run_local: '2026-02-04T05:30:00+01:00',
  waiting_for: null as typeof waiting | null,
  waits_for_run_id: null as string | null,
  last_run_id: id(3) as string | null,
  last_run_status: 'succeeded' as string | null,
  last_run_trigger: 'schedule' as string | null,
  last_run_at: at(2) as string | null,
  triggers: [
    {
      kind: 'schedule',
      cron: '30 5 * * 1-5',
      timezone: 'Europe/Berlin',
      paused: false,
      next_run_at: at(4, 4).replace(':00:00', ':30:00') as string | null,
    },
    { kind: 'on_demand' },
  ],
};
const [schedule, onDemand] = nightly.triggers;
const neverRun = { last_run_id: null, last_run_status: null, last_run_trigger: null, last_run_at: null };

/** One job per state. */
export const jobs = [
  nightly,
  {
    ...nightly,
    ...neverRun,
    name: 'report',
    select: ['reports.*'],
    upstream: false,
    cron: null,
    timezone: null,
    state: 'waiting',
    next_run_at: null,
    next_run_local: null,
    waiting_for: waiting,
    waits_for_run_id: id(3),
    triggers: [onDemand],
  },
  {
    ...nightly,
    name: 'paused',
    state: 'paused',
    paused: true,
    next_run_at: null,
    next_run_local: null,
    triggers: [{ ...schedule, paused: true, next_run_at: null }, onDemand],
  },
  { ...nightly, ...neverRun, name: 'unbound', state: 'no run principal' },
  { ...nightly, ...neverRun, name: 'unusable', state: 'run principal unusable' },
  {
    ...nightly,
    ...neverRun,
    name: 'starting',
    state: 'waiting to start',
    waiting_for: { ...waiting, waits_for_run_id: null },
  },
  {
    ...nightly,
    ...neverRun,
    name: 'by-hand',
    state: 'no schedule',
    cron: null,
    timezone: null,
    next_run_at: null,
    next_run_local: null,
    triggers: [onDemand],
  },
];
export { waiting };

export const query = {
  id: id(5),
  status: 'SUCCEEDED',
  sql_text: "select *\nfrom sales.orders where note like 'a\tb' and amount > 100 order by amount",
  submitter: 'ann',
  into: null,
  columns: [{ name: 'id', type: 'long' }],
  row_count: 2,
  progress: 1,
  error: null,
  created_at: at(2),
  started_at: at(2),
  ended_at: at(2),
};

export const deploy = {
  id: id(6),
  environment: 'prod',
  repository: 'shop',
  ref: 'main',
  commit: 'f2c1d0a9b8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3',
  dirty: true,
  status: 'succeeded',
  dry_run: false,
  warnings: ['The job nightly has a schedule and no run principal.'],
  jobs: { added: ['nightly'], removed: [], changed: [{ name: 'report', changes: ['cron', 'time zone'] }] },
  assets: null,
  package_indexes: [],
  project_version_id: id(4),
  error: null,
  created_by: 'ann',
  created_at: at(2),
  ended_at: at(2),
};

export const grant = {
  id: id(7),
  principal_id: null,
  group_id: id(8),
  role: 'DATA_ENGINEER',
  action: null,
  kind: 'NAMESPACE',
  principal: null,
  group: 'analysts',
  environment: 'prod',
  namespace: 'sales.raw',
  table: null,
  created_at: at(1),
  created_by: null,
};

export const event = {
  id: id(9),
  sequence: 1,
  time: at(2),
  type: 'TABLE_WRITE',
  principal: 'ann',
  principal_id: id(8),
  object: { kind: 'TABLE', environment: 'prod', namespace: 'sales', table: 'orders' },
  request_id: 'r',
  detail: { mode: 'append', rows: 3 },
};

export const packageIndex = {
  id: id(20),
  name: 'corp',
  url: 'https://packages.example.com/teams/data/simple',
  credential_secret: 'corp-packages',
  created_by: id(9),
  created_at: at(1),
  updated_at: at(2),
};

export const secret = {
  id: id(21),
  name: 'corp-packages',
  environment: 'prod',
  use: 'package-index',
  index: 'corp',
  repository: null,
  keys: ['password', 'username'],
  warnings: [],
  created_at: at(1),
  created_by: 'ann',
  rotated_at: at(2),
  rotated_by: 'ann',
};

export const projectVersions = [1, 2].map((n) => ({
  id: id(n),
  environment: 'prod',
  repository: 'shop',
  commit: `${n}`.repeat(40),
  dirty: n === 1,
  name: 'shop',
  package_indexes: [],
  jobs: ['nightly', 'report'],
  created_at: at(n),
  asset_count: 1200 * n,
  active: n === 2,
}));
