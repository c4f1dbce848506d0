import { readFileSync } from 'node:fs';
import type { CatalogSession } from './index.ts';
import { CatalogFixture } from './testing/catalog-fixture.ts';

interface ClientStatement {
  readonly client: string;
  readonly sql: string;
  readonly params?: (string | null)[];
}

/** Statements as clients send them to a server with the same objects; names in braces are OIDs. */
const STATEMENTS = JSON.parse(
  readFileSync(new URL('testing/client-statements.json', import.meta.url), 'utf8'),
) as ClientStatement[];

let f: CatalogFixture;
let session: CatalogSession;
let oids: ReadonlyMap<string, string>;
beforeAll(async () => {
  f = await CatalogFixture.start();
  await f.create('/api/v1/environments/prod/namespaces', { path: 'shop', description: 'The shop' });
  await f.create('/api/v1/environments/prod/namespaces/shop/tables', {
    ...{ name: 'orders', kind: 'managed', description: 'Orders', identifier_fields: ['id', 'line'] },
    columns: [
      { name: 'id', type: 'long', nullable: false },
      { name: 'line', type: 'int', nullable: false },
      { name: 'name', type: 'string', description: 'Name of it' },
      { name: 'amount', type: 'decimal(10,2)' },
      { name: 'placed', type: 'timestamptz' },
      { name: 'tags', type: 'list<string>' },
      { name: `it's "q"`, type: 'string' },
    ],
  });
  session = await f.administrator({ searchPath: ['shop'] });
  const rows = await f.rows(session, 'SELECT relname, oid FROM pg_class');
  oids = new Map(rows.map(([name, oid]) => [String(name), String(oid)]));
});
afterAll(() => f.server.stop());

const withOids = (text: string): string =>
  text.replaceAll(/\{(orders|big|orders_pkey)\}/g, (_, name: string) => oids.get(name) ?? '0');

test('every statement of a client is answered', async () => {
  const failures: string[] = [];
  for (const { client, sql, params } of STATEMENTS) {
    const bound = params?.map((value) => (value === null ? null : withOids(value))) ?? null;
    const outcome = await f
      .answer(session, withOids(sql), bound)
      .catch((e: unknown) => ({ kind: 'failed' as const, error: { message: String(e) } }));
    if (outcome.kind !== 'rows')
      failures.push(
        `${client}: ${outcome.kind === 'failed' ? outcome.error.message : outcome.kind}\n${sql}\n${JSON.stringify(bound)}`,
      );
  }
  expect(failures.join('\n\n')).toBe('');
});
