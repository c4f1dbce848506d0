import { listEffectiveGrants } from '@svc/db/access';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { SessionSettings } from '../../sessions/settings.ts';
import { answerCatalog, type CatalogOutcome, type CatalogSession, describeCatalog } from '../index.ts';

const VERSION = '1.2.3';

/** An environment with tables, and sessions of principals in it. */
export class CatalogFixture {
  readonly server: TestServer;
  private ids = 0;

  private constructor(server: TestServer) {
    this.server = server;
  }

  static async start(): Promise<CatalogFixture> {
    const fixture = new CatalogFixture(await startTestServer());
    await fixture.create('/api/v1/environments', { name: 'prod' });
    return fixture;
  }

  async create(path: string, body: unknown): Promise<{ id: string; [field: string]: unknown }> {
    const answer = await this.server.call('POST', path, { body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  }

  async session(principal: { id: string; name: string }, more: Partial<CatalogSession> = {}): Promise<CatalogSession> {
    const { prisma } = this.server.db;
    const environment = await prisma.environment.findFirstOrThrow({ where: { name: 'prod' } });
    const grants = await listEffectiveGrants(prisma, {
      principalId: principal.id,
      environmentId: environment.id,
      now: new Date(),
    });
    const settings = new SessionSettings({ user: principal.name, svcVersion: VERSION });
    const { searchPath = [] } = more;
    settings.set('search_path', searchPath.join(', '));
    const where = { environment: { id: environment.id, name: 'prod' }, pid: 4711, address: '192.0.2.7' };
    return { caller: principal, grants, tokenActions: null, searchPath, settings: settings.all, ...where, ...more };
  }

  async administrator(more: Partial<CatalogSession> = {}): Promise<CatalogSession> {
    const principal = await this.server.db.prisma.principal.findFirstOrThrow({ where: { name: 'admin' } });
    return this.session({ id: principal.id, name: principal.name }, more);
  }

  private get deps() {
    const { db, store, sandbox } = this.server;
    return { db, store, sandbox, version: VERSION, clock: () => new Date(), newId: () => `catalog-${++this.ids}` };
  }

  answer(session: CatalogSession, sql: string, params: (string | null)[] | null = null): Promise<CatalogOutcome> {
    return answerCatalog(this.deps, session, { sql, params, signal: new AbortController().signal });
  }

  describe(session: CatalogSession, sql: string) {
    return describeCatalog(this.deps, session, { sql, signal: new AbortController().signal });
  }

  /** The rows of a statement about the catalog. */
  async rows(session: CatalogSession, sql: string, params: (string | null)[] | null = null) {
    const outcome = await this.answer(session, sql, params);
    if (outcome.kind !== 'rows') throw new Error(`${JSON.stringify(outcome)}: ${sql}`);
    return outcome.rows!;
  }
}
