import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { deployFiles, sendFiles } from '../projects.ts';
import { type TestService, TOKEN } from '../test-service.ts';
import { CatalogWorld } from './catalog-world.ts';
import { PASSWORD, seedEnvironments, seedObjects } from './seeds.ts';

/** The senders of requests; null sends no credential. */
export type Who = 'administrator' | 'reader' | 'stranger' | 'task' | 'nobody';

const PROJECT = {
  'svc.yaml': 'jobs:\n  all:\n    select: ["*"]\n    schedule: { cron: "0 5 1 1 *", timezone: Europe/Berlin }\n',
  'assets/raw/numbers.sql': 'SELECT i AS id FROM range(10) t(i)',
  'assets/core/sum.sql': 'SELECT sum(id)::BIGINT AS total FROM raw.numbers',
};

// Frequent kinds are listed more than once.
const NAMESPACES = [...Array<string>(9).fill('raw'), 'raw.fuzz', 'core', 'left'];
const TABLES = [...Array<string>(7).fill('orders'), 'numbers', 'sum', 'dropped', 'held', 'report', 'fuzz'];
const PEOPLE = ['ann', 'ann', 'robot', 'fuzz', 'fuzz', 'reader', 'stranger'];

/** Names by the parameter or field that contains them; statements are short and cheap. */
const NAMES: Record<string, readonly unknown[]> = {
  path: NAMESPACES,
  namespace: NAMESPACES,
  table: [...TABLES, 'raw.orders'],
  view: ['v', 'v', 'fuzz', 'orders'],
  into: ['raw.fuzz_into', 'raw.orders'],
  group: ['team', 'fuzz'],
  group_name: ['team'],
  principal: PEOPLE,
  principal_name: PEOPLE,
  submitter: PEOPLE,
  owner: PEOPLE,
  repository: ['shop', 'fuzz'],
  job: ['all', 'none'],
  secret: ['hooks'],
  storage_secret: ['hooks'],
  credential_secret: ['hooks', ''],
  index: ['wheels'],
  provider: ['corp', 'corp', 'fuzz'],
  // Nothing outside this machine is requested.
  issuer: ['http://127.0.0.1:9', 'http://localhost:9/a', 'https://', 'http://x'],
  subject: ['s1', 's2'],
  email: ['ann@example.com', 'ANN@example.com', 'x'],
  select: ['*', 'raw.*', 'core.sum', 'nothing'],
  sql: ['SELECT 1 AS one', 'SELECT * FROM raw.orders', 'SELECT nothing', 'SELEC', 'DROP TABLE raw.orders'],
  predicate: ['id > 1', 'true', 'id = (SELECT 1)', ')'],
  expression: ['NULL', 'id + 1', 'no_such'],
  column: ['id', 'name', 'no_such'],
  role: ['ADMIN', 'DATA_ENGINEER', 'ANALYST', 'NONE'],
  action: ['READ_TABLE', 'RUN', 'DEPLOY', 'READ_QUERY_TEXT', 'NOTHING'],
  kind: ['INSTANCE', 'ENVIRONMENT', 'NAMESPACE', 'TABLE', 'managed', 'external', 'x'],
  type: ['person', 'service-account', 'int', 'string', 'decimal(10,2)', 'struct<a:int>', 'list<int>'],
  url: ['https://127.0.0.1:9/x.git', 'https://pkgs.invalid/simple', 'http://x', 'ftp://x'],
  location: ['s3://a/b', '/etc/passwd', 'raw/orders'],
  // Nothing outside this machine is requested.
  storage_location: ['s3://', 's3://UPPER'],
  event_type: ['QUERY_COMPLETED', 'NOTHING'],
  status: ['failed', 'succeeded', 'queued', 'x'],
  trigger: ['manual', 'x'],
  since: ['2026-01-01T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00'],
  until: ['2027-01-01', '2027-01-01T00:00:00Z'],
  wait: ['0', '1', '-1', '61'],
  limit: ['1', '2', '200', '0', '201', '-1'],
  days: ['7', '0', '3651', 7, 30],
  mode: ['append', 'replace', 'create'],
  format: ['json', 'csv', 'parquet', 'arrow'],
  q: ['a', 'x', '%'],
};

const ID_FIELDS: Record<string, string> = {
  project_version_id: 'project-versions',
  bundle_id: 'bundles',
  principal_id: 'principals',
  snapshot_id: 'snapshots',
};

/** A service with an object of every kind, and what requests about it may name. */
export class World {
  readonly service: TestService;
  private readonly tokens: Record<string, string> = {};
  /** The objects by kind, as paths name them. */
  private ids: Record<string, string[]> = {};
  /** Never removes the administrator's account, permissions and tokens: nothing could be tested without them. */
  private readonly own = new Set<string>();
  /** The ids of objects whose names can't be used again. */
  private generation = 1;
  private readonly names: Record<string, string> = {};
  env = 'dev';
  readonly catalog: CatalogWorld;
  readonly warehouse: string;
  private readonly cursors: string[] = [];

  constructor(service: TestService) {
    this.service = service;
    this.catalog = new CatalogWorld(service);
    this.warehouse = join(service.folder, 'home', 'warehouse');
  }

  tokenOf(who: Who): string | null {
    return who === 'nobody' ? null : who === 'administrator' ? TOKEN : (this.tokens[who] ?? null);
  }

  /** Possible values of fields and parameters with this name. */
  readonly suggest = (name: string): readonly unknown[] => {
    if (name === 'env' || name === 'environment' || name === 'prefix' || name === 'warehouse')
      return [...Array<string>(12).fill(this.env), 'prod', 'gone', 'fuzz'];
    if (name === 'cursor') return this.cursors;
    if (name === 'name' || name === 'new_name') return [...PEOPLE, ...TABLES, 'team', 'shop', 'wheels', 'hooks'];
    if (name.startsWith('id of ')) return this.ids[name.slice(6)] ?? [];
    const ofField = ID_FIELDS[name];
    if (ofField !== undefined) return this.ids[ofField] ?? [];
    return NAMES[name] ?? [];
  };

  /** A record that a request created or returned. */
  saw(kind: string, { id }: { id?: unknown }): void {
    if (typeof id !== 'string' || this.own.has(id)) return;
    this.ids[kind] = [...(this.ids[kind] ?? []), id].slice(-30);
  }

  sawCursor(cursor: string): void {
    if (this.cursors.length < 200) this.cursors.push(cursor);
  }

  /** Creates what is missing and learns the current ids; called repeatedly, because requests destroy much. */
  async refresh(): Promise<void> {
    const { service } = this;
    const send = (method: string, path: string, body?: unknown) => service.call(method, path, { body });
    await this.environment();
    const env = `/environments/${this.env}`;
    await seedEnvironments(service);
    for (const path of new Set(NAMESPACES)) await send('POST', `${env}/namespaces`, { path });
    this.saw('writes', ((await seedObjects(service, this.env)) ?? {}) as object);
    await send('POST', '/groups', { name: 'team' });
    await send('POST', '/repositories', { name: 'shop' });
    await send('POST', '/package-indexes', { name: 'wheels', url: 'https://pkgs.invalid/simple' });
    await send('POST', '/identity-providers', { name: 'corp', issuer: 'http://127.0.0.1:9', client_id: 'svc' });
    await send('POST', `${env}/secrets`, { name: 'hooks', values: { url: 'https://hooks.invalid' } });
    await this.project();
    await this.people();
    await this.learn();
    await this.catalog.refresh(this.env);
  }

  /** The environment of most requests: another one if it can't be restored. */
  private async environment(): Promise<void> {
    const { call } = this.service;
    const usable = async () => {
      await call('POST', '/environments', { body: { name: this.env } });
      await call('POST', `/environments/${this.env}/restore`);
      await call('PATCH', `/environments/${this.env}`, { body: { protected: false } });
      await call('PUT', `/environments/${this.env}/quotas`, {
        body: { storage_bytes: null, concurrent_queries: null },
      });
      return (await call('GET', `/environments/${this.env}`)).status === 200;
    };
    for (; !(await usable()); this.env = `dev${this.generation}`) this.generation++;
  }

  private async people(): Promise<void> {
    const { call } = this.service;
    for (const [name, type] of [
      ['ann', 'person'],
      ['robot', 'service-account'],
    ] as const)
      await call('POST', '/principals', { body: { name, type } });
    for (const name of ['admin', 'ann']) await call('PATCH', `/principals/${name}`, { body: { password: PASSWORD } });
    await call('PUT', '/groups/team/members/ann');
    await call('POST', '/principals/ann/tokens', { body: { name: 'fuzz' } });
    for (const who of ['reader', 'stranger'] as const) {
      // A deleted one keeps its name.
      for (let tries = 0; tries < 3; tries++) {
        const name = this.names[who] ?? who;
        this.names[who] = name;
        await call('POST', '/principals', { body: { name, type: 'person' } });
        await call('PATCH', `/principals/${name}`, { body: { active: true } });
        const { status, body } = await call('POST', `/principals/${name}/tokens`, { body: { name: 'fuzz' } });
        if (status === 201) {
          this.tokens[who] = (body as { token: string }).token;
          break;
        }
        this.names[who] = `${who}${++this.generation}`;
      }
    }
    for (const action of ['READ_ENVIRONMENT', 'READ_TABLE', 'SUBMIT_QUERY'])
      await call('POST', '/grants', {
        body: { principal: this.names['reader'], action, kind: 'ENVIRONMENT', environment: this.env },
      });
    const { body } = await call('POST', '/task-tokens', { body: { environment: this.env } });
    this.tokens['task'] = (body as { token: string }).token;
  }

  /** A deployed project with a job, in its second version; created only if it is missing, because a deploy takes a while. */
  private async project(): Promise<void> {
    const { client, folder, call } = this.service;
    if ((await call('GET', `/environments/${this.env}/jobs/all`)).status === 200) return;
    mkdirSync(folder, { recursive: true });
    for (const files of [{ ...PROJECT, 'assets/raw/numbers.sql': 'SELECT 1::BIGINT AS id' }, PROJECT]) {
      const deploy = await deployFiles(client, { env: this.env, repository: 'shop', folder }, files).catch(() => null);
      this.saw('project-versions', { id: deploy?.project_version_id });
    }
    const id = await sendFiles(client, { env: this.env, folder }, PROJECT).catch(() => undefined);
    this.saw('bundles', { id });
  }

  private async learn(): Promise<void> {
    const read = async (path: string, see: (row: Record<string, unknown>) => void) => {
      const { body } = await this.service.call('GET', path);
      for (const row of Array.isArray(body) ? body.slice(0, 30) : []) see(row as Record<string, unknown>);
    };
    const me = (await this.service.call('GET', '/me')).body as { id: string; name: string };
    this.own.add(me.id);
    const remember = ({ id }: Record<string, unknown>) => void this.own.add(String(id));
    await read(`/principals/${me.name}/tokens`, remember);
    await read(`/grants?principal_name=${me.name}`, remember);
    for (const kind of ['principals', 'groups', 'grants']) await read(`/${kind}`, (row) => this.saw(kind, row));
    await read(`/environments/${this.env}/namespaces/raw/tables/orders/snapshots`, ({ snapshot_id }) =>
      this.saw('snapshots', { id: String(snapshot_id) }),
    );
    await read('/principals/ann/tokens', (row) => this.saw('tokens', row));
    for (const kind of ['queries', 'runs', 'deploys'])
      await read(`/environments/${this.env}/${kind}${kind === 'queries' ? '?include_ended=true' : ''}`, (row) => {
        this.saw(kind, row);
        this.saw('project-versions', { id: row['project_version_id'] });
      });
  }
}
