import type { Op } from '@svc/core/drops/testing';
import type { LifecycleWorld } from './lifecycle-world.ts';

const KINDS = ['engineCreate', 'engineDrop', 'register', 'rename'] as const;
export type EngineOp = Extract<Op, { kind: (typeof KINDS)[number] }>;

export const isEngineOp = (op: Op): op is EngineOp => (KINDS as readonly string[]).includes(op.kind);

/** The protocol's response for the model's outcome. */
export function shown(outcome: string): string {
  if (['ok', 'nothing-dropped'].includes(outcome)) return outcome;
  if (['not-found', 'environment-deleted'].includes(outcome)) return '404';
  return outcome === 'table-held' ? '403' : '409';
}

let innerTables = 0;

/** The part of a history that engines perform, through the catalog interface. */
export class EngineHistory {
  private readonly world: LifecycleWorld;
  private readonly env: string;
  private readonly made: (id: string, location: string) => Promise<void>;

  constructor(
    world: LifecycleWorld,
    { env, made }: { env: string; made: (id: string, location: string) => Promise<void> },
  ) {
    this.world = world;
    this.env = env;
    this.made = made;
  }

  /** `ok`, or the status of the refusal. */
  async apply(op: EngineOp): Promise<string> {
    switch (op.kind) {
      case 'engineCreate':
        return this.create(op);
      case 'engineDrop':
        return this.send('DELETE', `/namespaces/n/tables/${op.name}${op.purge ? '?purgeRequested=true' : ''}`);
      case 'register':
        return this.register(op);
      case 'rename': {
        const [source, destination] = [op.name, op.to].map((name) => ({ namespace: ['n'], name }));
        return this.send('POST', '/tables/rename', { source, destination });
      }
    }
  }

  private async request(method: string, path: string, body?: unknown) {
    const sent = body === undefined ? {} : { body };
    const answer = await this.world.server.call(method, `/catalog/v1/${this.env}${path}`, sent);
    if (answer.status >= 500 || answer.status === 400) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer;
  }

  private async send(method: string, path: string, body?: unknown): Promise<string> {
    const { status } = await this.request(method, path, body);
    return status < 300 ? 'ok' : String(status);
  }

  private async create({ name, inside }: Extract<EngineOp, { kind: 'engineCreate' }>): Promise<string> {
    const outer = inside === null ? null : await this.rowsOf(inside, null);
    const location = outer?.[0]?.location;
    const schema = { type: 'struct', fields: [{ id: 1, name: 'id', required: false, type: 'long' }] };
    const options = location == null ? {} : { location: `${location}/inner${innerTables++}` };
    const { status, body } = await this.request('POST', '/namespaces/n/tables', { name, schema, ...options });
    if (status !== 200) return String(status);
    await this.made(body.metadata['table-uuid'], body.metadata.location);
    return 'ok';
  }

  /** The drop that an undrop of the name would restore. */
  private async register({ name, as }: Extract<EngineOp, { kind: 'register' }>): Promise<string> {
    const drops = await this.rowsOf(name, { not: null });
    const restorable = drops.find(
      (row) => row.drop_reason !== 'purge' && row.purge_started_at === null && row.purge_after! > this.world.now,
    );
    const drop = restorable ?? drops[0];
    if (drop === undefined) {
      // There is nothing to name: the request can only check that the environment exists.
      const { status } = await this.request('HEAD', '/namespaces/n');
      return status < 300 ? 'nothing-dropped' : String(status);
    }
    const body = { name: as ?? name, 'metadata-location': drop.metadata_location };
    return this.send('POST', '/namespaces/n/register', body);
  }

  private async rowsOf(name: string, droppedAt: { not: null } | null) {
    const { prisma } = this.world;
    const environment = await prisma.environment.findFirst({ where: { name: this.env, purged_at: null } });
    if (environment === null) return [];
    return prisma.table.findMany({
      where: { name, dropped_at: droppedAt, purged_at: null, environment_id: environment.id },
      orderBy: [{ dropped_at: 'desc' }, { id: 'desc' }],
    });
  }
}
