import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import type { Format, RowBatch } from '../rows.ts';

/** PostgreSQL itself, whose output is what clients expect. */
export class Oracle {
  private readonly database: TestDatabase;

  private constructor(database: TestDatabase) {
    this.database = database;
  }

  static async open(): Promise<Oracle> {
    // One connection, so that its settings and tables stay.
    const oracle = new Oracle(await createTestDatabase({ poolSize: 1 }));
    await oracle.run("SET TimeZone = 'UTC'");
    return oracle;
  }

  /** The values that these texts have as values of the type, as PostgreSQL sends them in this format. */
  async values(type: string, texts: readonly (string | null)[], format: Format): Promise<(Buffer | null)[]> {
    const [found] = await this.rows<{ send: string }>(
      `SELECT CAST(typsend AS text) AS send FROM pg_type WHERE oid = CAST('${type}' AS regtype)`,
    );
    const output = format === 0 ? "convert_to(format('%s', w), 'UTF8')" : `${found!.send}(w)`;
    const rows = await this.rows<{ hex: string | null }>(
      `SELECT CASE WHEN w IS NOT NULL THEN encode(${output}, 'hex') END AS hex FROM (
         SELECT CAST(v AS ${type}) AS w, n FROM unnest($1::text[]) WITH ORDINALITY AS t(v, n)
       ) ORDER BY n`,
      [texts],
    );
    return rows.map(({ hex }) => (hex === null ? null : Buffer.from(hex, 'hex')));
  }

  rows<T>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return this.database.db.prisma.$queryRawUnsafe<T[]>(text, ...values);
  }

  async run(text: string, values: readonly unknown[] = []): Promise<void> {
    await this.database.db.prisma.$executeRawUnsafe(text, ...values);
  }

  close(): Promise<void> {
    return this.database.drop();
  }
}

/** The cells of DataRow messages. */
export function cellsOf(batch: RowBatch, formats: readonly Format[]): (Buffer | null)[][] {
  return dataRows(batch.dataRows(0, batch.rowCount, formats));
}

const DATA_ROW = 'D'.charCodeAt(0);

export function dataRows(messages: Buffer): (Buffer | null)[][] {
  const rows: (Buffer | null)[][] = [];
  for (let at = 0; at < messages.length; ) {
    const end = at + 1 + messages.readInt32BE(at + 1);
    if (messages[at] !== DATA_ROW) throw new Error(`no DataRow message at byte ${at}`);
    const row: (Buffer | null)[] = [];
    let cell = at + 7;
    for (let i = 0; i < messages.readInt16BE(at + 5); i++) {
      const length = messages.readInt32BE(cell);
      cell += 4;
      row.push(length === -1 ? null : messages.subarray(cell, cell + length));
      cell += Math.max(0, length);
    }
    if (cell !== end) throw new Error(`a DataRow message of another length at byte ${at}`);
    rows.push(row);
    at = end;
  }
  return rows;
}
