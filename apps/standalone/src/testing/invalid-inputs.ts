import { makeOrders } from './orders.ts';
import { deployFiles } from './projects.ts';
import type { rest } from './rest.ts';
import { makeServiceHome, type ServiceHome, type ServiceProcess, startServiceProcess } from './service-process.ts';

const numbers = (characters: number) =>
  Array.from({ length: Math.floor(characters / 8) }, (_, i) => 1_000_000 + i).join();
const times = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));
const commit = (count: number) => ({
  requirements: [],
  updates: times(count, (i) => ({ action: 'set-properties', updates: { [`k${i}`]: 'v' } })),
});

export const HOSTILE_INPUTS = [
  'a statement of 800 KB',
  'four of the longest statements at once',
  'an error text of 200,000 line breaks',
  'a result of 200 MB in one page',
  '10,000 updates in one commit',
  'as many as one commit may have',
  'a location of 100,000 slashes',
  '30 MB to a commit without any right',
  'svc.yaml with 20,000 aliases',
] as const;

/** Inputs that once blocked the service for 1.5 seconds to ten minutes. */
export class HostileInputs {
  readonly service: ServiceProcess;
  private readonly home: ServiceHome;
  private readonly catalog: ReturnType<typeof rest>;
  /** The token of a principal without permissions. */
  private readonly stranger: string;

  private constructor(home: ServiceHome, service: ServiceProcess, stranger: string) {
    this.home = home;
    this.service = service;
    this.stranger = stranger;
    this.catalog = (method, path, options) => service.call(method, `/../../catalog/v1/dev${path}`, options);
  }

  static async start(): Promise<HostileInputs> {
    const home = await makeServiceHome();
    const service = await startServiceProcess(home, { SVC_QUERY__TIMEOUT_SECONDS: '60' });
    await service.ready;
    const { client } = service;
    await makeOrders(client, 'dev', 's.t');
    await client.repositories.create({ name: 'shop' });
    await client.principals.create({ name: 'eve', type: 'service-account' });
    return new HostileInputs(home, service, (await client.tokens.issue('eve', 'laptop')).token);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.home.remove();
  }

  private async finished(sql: string) {
    const { queries } = this.service.client;
    return queries.wait('dev', (await queries.submit('dev', sql)).id);
  }

  /** Sends each input and checks the response. */
  readonly inputs: Readonly<Record<(typeof HOSTILE_INPUTS)[number], () => Promise<unknown>>> = {
    'a statement of 800 KB': async () => {
      const sql = `SELECT 1 WHERE 1 IN (${numbers(800_000)})`;
      expect((await this.service.call('POST', '/environments/dev/queries', { body: { sql } })).status).toBe(422);
    },
    'four of the longest statements at once': async () => {
      const sql = `SELECT count(*) FROM s.t WHERE id IN (${numbers(250_000)})`;
      const queries = await Promise.all(times(4, () => this.finished(sql)));
      expect(queries.map(({ status }) => status)).toEqual(times(4, () => 'SUCCEEDED'));
    },
    'an error text of 200,000 line breaks': async () => {
      expect(await this.finished('SELECT error(repeat(chr(10), 200000))')).toMatchObject({ status: 'FAILED' });
    },
    'a result of 200 MB in one page': async () => {
      const { id } = await this.finished("SELECT repeat('x', 1000000) AS t FROM range(200)");
      const page = await this.service.call('GET', `/environments/dev/queries/${id}/results?limit=10000`);
      expect(page.status).toBe(200);
      expect([page.body.rows.length, typeof page.body.next_cursor]).toEqual([8, 'string']);
    },
    '10,000 updates in one commit': async () => {
      expect((await this.catalog('POST', '/namespaces/s/tables/t', { body: commit(10_000) })).status).toBe(400);
    },
    'as many as one commit may have': async () => {
      expect((await this.catalog('POST', '/namespaces/s/tables/t', { body: commit(5000) })).status).toBe(200);
    },
    'a location of 100,000 slashes': async () => {
      const body = { name: 'far', location: '/'.repeat(100_000), schema: { type: 'struct', fields: [] } };
      expect((await this.catalog('POST', '/namespaces/s/tables', { body })).status).toBe(400);
    },
    '30 MB to a commit without any right': async () => {
      const raw = { type: 'application/json', data: `{"table-changes":[${'{},'.repeat(10_000_000)}{}]}` };
      const answer = await this.catalog('POST', '/transactions/commit', { raw, token: this.stranger }).catch(
        () => null,
      );
      // The connection may be closed before everything is sent.
      expect(answer?.status ?? 403).toBe(403);
    },
    'svc.yaml with 20,000 aliases': async () => {
      const files = { 'svc.yaml': `name: &a x\njobs: [${'*a,'.repeat(20_000)}]\n` };
      const deploy = await deployFiles(
        this.service.client,
        { env: 'dev', repository: 'shop', folder: this.home.folder },
        files,
      );
      expect(deploy).toMatchObject({ status: 'failed', error: { detail: expect.stringContaining('50 aliases') } });
    },
  };
}
