import type { SvcClient, Write } from '@svc/sdk';

/** The environment of a test, with a namespace and a small managed table. */
export async function makeOrders(client: SvcClient, env: string, table = 'shop.orders'): Promise<void> {
  const [namespace] = table.split('.');
  await client.environments.create(env);
  await client.namespaces.create(env, namespace!);
  await client.tables.create(env, table, {
    kind: 'managed',
    description: 'Orders of a shop',
    columns: [
      { name: 'id', type: 'bigint', nullable: false, description: 'Counted from 1' },
      { name: 'buyer', type: 'varchar', nullable: true, description: null },
      { name: 'amount', type: 'decimal(10,2)', nullable: true, description: null },
      { name: 'day', type: 'date', nullable: true, description: null },
    ],
  });
}

export type Loaded = 'csv' | 'ndjson' | 'parquet';

/** Loads and waits for the result, whether it succeeds or fails. */
export async function loadInto(
  client: SvcClient,
  at: { env: string; table: string },
  file: { format: Loaded; mode?: 'append' | 'replace'; data: string | Uint8Array; watermark?: string },
): Promise<Write> {
  const { data, ...options } = file;
  const body = typeof data === 'string' ? Buffer.from(data) : data;
  const { id } = await client.tables.load(at.env, at.table, body, options);
  return client.writes.wait(at.env, id);
}

/** All rows of a query, as lists of values. */
export async function rowsOf(client: SvcClient, env: string, sql: string): Promise<unknown[][]> {
  const { rows } = await client.queries.run(env, sql);
  return rows.map((row) => Object.values(row));
}

export async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}
