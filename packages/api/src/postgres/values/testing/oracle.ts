import { createTestDatabase } from '@svc/db/testing';
import pg from 'pg';
import type { Format, RowBatch } from '../rows.ts';

/** PostgreSQL itself, whose output is what clients expect. */
export class Oracle {
  private readonly client: pg.Client;
  private readonly drop: () => Promise<void>;

  private constructor(client: pg.Client, drop: () => Promise<void>) {
    this.client = client;
    this.drop = drop;
  }

  static async open(): Promise<Oracle> {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url, application_name: 'oracle' });
    await client.connect();
    await client.query("SET TimeZone = 'UTC'");
    return new Oracle(client, () => database.drop());
  }

  /** The values that these texts have as values of the type, as PostgreSQL sends them in this format. */
  async values(type: string, texts: readonly (string | null)[], format: Format): Promise<(Buffer | null)[]> {
    const [found] = await this.query<{ send: string }>(
      `SELECT typsend AS send FROM pg_type WHERE oid = CAST('${type}' AS regtype)`,
    );
    const output =
      format === 0 ? "CASE WHEN w IS NOT NULL THEN convert_to(format('%s', w), $2) END" : `${found!.send}(w)`;
    const { rows } = await this.client.query<{ output: Buffer | null }>(
      `SELECT ${output} AS output FROM (
         SELECT CAST(v AS ${type}) AS w, n FROM unnest($1::text[]) WITH ORDINALITY AS t(v, n)
       ) WHERE $2 = 'UTF8' ORDER BY n`,
      [texts, 'UTF8'],
    );
    return rows.map((row) => row.output);
  }

  async query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.client.query<T>(text, values)).rows;
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.drop();
  }
}

/** The cells of DataRow messages. */
export function cellsOf(batch: RowBatch, formats: readonly Format[]): (Buffer | null)[][] {
  return dataRows(batch.dataRows(0, batch.rowCount, formats));
}

export function dataRows(messages: Buffer): (Buffer | null)[][] {
  const rows: (Buffer | null)[][] = [];
  for (let at = 0; at < messages.length; ) {
    const end = at + 1 + messages.readInt32BE(at + 1);
    expect(messages.toString('latin1', at, at + 1)).toBe('D');
    const row: (Buffer | null)[] = [];
    let cell = at + 7;
    for (let i = 0; i < messages.readInt16BE(at + 5); i++) {
      const length = messages.readInt32BE(cell);
      cell += 4;
      row.push(length === -1 ? null : messages.subarray(cell, cell + length));
      cell += Math.max(0, length);
    }
    expect(cell).toBe(end);
    rows.push(row);
    at = end;
  }
  return rows;
}
