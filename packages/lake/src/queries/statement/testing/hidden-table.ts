import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { stringify } from 'lossless-json';
import { confining } from '../../sandbox/confining.ts';
import { literals } from '../../sql-text.ts';
import { guard } from '../guard.ts';
import { DUCKDB_SCOPING, type Scoping } from '../names.ts';
import { renameCtes, rewriteTables } from '../rewrite-tables.ts';

/** How names were resolved before: folded as JavaScript does, and a recursive CTE visible in its own anchor member. */
export const WRONG_SCOPING: Scoping = { fold: (name) => name.toLowerCase(), anchorSeesItself: true };

export const HIDDEN = 'hidden-value';

/** Statements that read the hidden rows of `sales.people`, or the text of its view, where a name is taken for another. */
export const attacksOn = (file: string): readonly string[] => {
  const p = `"${file}"`;
  return [
    `WITH RECURSIVE ${p} AS (SELECT * FROM ${p} UNION ALL SELECT * FROM ${p} WHERE false) SELECT name FROM ${p}`,
    `WITH RECURSIVE ${p} AS (SELECT * FROM ${p} UNION SELECT * FROM ${p} WHERE false) SELECT name FROM ${p}`,
    `WITH RECURSIVE ${p} AS (SELECT name FROM (SELECT * FROM ${p}) q UNION ALL SELECT name FROM ${p} WHERE false) TABLE ${p}`,
    `WITH RECURSIVE ${p} AS (SELECT (SELECT min(name) FROM ${p}) AS name UNION ALL SELECT name FROM ${p} WHERE false) TABLE ${p}`,
    `WITH RECURSIVE ${p} AS (WITH c AS (SELECT * FROM ${p}) SELECT name FROM c UNION ALL SELECT name FROM ${p} WHERE false) TABLE ${p}`,
    `WITH ${p} AS (SELECT * FROM ${p}) SELECT name FROM ${p}`,
    `WITH a AS (SELECT * FROM ${p}), ${p} AS (SELECT 1) SELECT name FROM a`,
    `SELECT * FROM (WITH ${p} AS (SELECT 1) SELECT 1) q, ${p}`,
    `(WITH ${p} AS (SELECT 'x' AS name) SELECT name FROM ${p}) UNION ALL SELECT name FROM ${p}`,
    `WITH c AS (SELECT (WITH ${p} AS (SELECT 1) SELECT 1)) SELECT name FROM ${p}`,
    `SELECT l.name FROM (SELECT 1) o, LATERAL (SELECT * FROM ${p}) l`,
    `SELECT name FROM ${p}`,
    `SELECT name FROM '${file}'`,
    `WITH "duc\u212Adb_views" AS (SELECT 'x' AS sql) SELECT sql FROM duckdb_views`,
    `WITH "duc\u212Adb_columns" AS (SELECT 'x' AS x) SELECT * FROM duckdb_columns`,
    `WITH "duc\u212Adb_settings" AS (SELECT 'x' AS name, 'y' AS value) SELECT name, value FROM duckdb_settings`,
    `WITH "${file.replace('k', '\u212A')}" AS (SELECT 'x' AS name) SELECT name FROM ${p}`,
    `WITH "${file.toUpperCase()}" AS (SELECT 'x' AS name) SELECT name FROM ${p}`,
    `WITH "p\u017F" AS (SELECT 1) SELECT * FROM "pS"`,
    `WITH "sqlite_ma\u017Fter" AS (SELECT 'x' AS sql) SELECT sql FROM sqlite_master`,
    `WITH "${file} " AS (SELECT 'x' AS name) SELECT name FROM ${p}`,
    `WITH ${p} AS MATERIALIZED (SELECT * FROM ${p}) SELECT name FROM ${p}`,
    `WITH RECURSIVE r(name) USING KEY (name) AS (SELECT name FROM ${p} UNION SELECT name FROM recurring.r WHERE false) SELECT name FROM r`,
    `WITH RECURSIVE people AS (SELECT name FROM sales.people UNION ALL SELECT name FROM people WHERE false) SELECT name FROM people`,
    `FROM ${p}`,
    `PIVOT ${p} ON name USING count(*)`,
    `SELECT (SELECT name FROM ${p} LIMIT 1)`,
    `SELECT 1 WHERE EXISTS (FROM ${p} WHERE name = error('${HIDDEN}'))`,
  ];
};

/** Which of the two walls are up. */
export interface Walls {
  readonly resolution: boolean;
  readonly renaming: boolean;
}

/** A confined engine with `sales.people`, of whose rows the view shows none; what it reads lies in `file`. */
export class HiddenTable {
  readonly file: string;
  private readonly dir: string;
  private readonly instance: DuckDBInstance;
  private readonly connection: DuckDBConnection;

  private constructor(dir: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.dir = dir;
    this.file = path.join(dir, 'k.parquet');
    this.instance = instance;
    this.connection = connection;
  }

  static async open(): Promise<HiddenTable> {
    const dir = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'hidden-')));
    const instance = await DuckDBInstance.create(':memory:');
    const table = new HiddenTable(dir, instance, await instance.connect());
    const { connection, file } = table;
    await connection.run(`COPY (SELECT '${HIDDEN}' AS name) TO '${file}' (FORMAT parquet)`);
    await connection.run("ATTACH ':memory:' AS lake; CREATE SCHEMA lake.sales");
    await connection.run(confining([file], []).text);
    const rows = `SELECT name FROM read_parquet(${literals([file]).text}) WHERE name <> '${HIDDEN}'`;
    await connection.run(`CREATE VIEW lake.sales.people AS ${rows}`);
    return table;
  }

  /** What a statement shows: its rows or its refusal, as one text. */
  async shown(sql: string, { resolution, renaming }: Walls): Promise<string> {
    try {
      const guarded = guard(await this.text('SELECT json_serialize_sql($1::VARCHAR)', sql), {
        scoping: resolution ? DUCKDB_SCOPING : WRONG_SCOPING,
      });
      if (!guarded.ok) return 'refused';
      rewriteTables(guarded);
      if (renaming) renameCtes(guarded);
      const rewritten = await this.text('SELECT json_deserialize_sql($1::JSON)', stringify(guarded.ast)!);
      return JSON.stringify((await this.connection.runAndReadAll(rewritten)).getRowsJson());
    } catch {
      return 'failed';
    }
  }

  private async text(sql: string, value: string): Promise<string> {
    return String((await this.connection.runAndReadAll(sql, [value])).getRows()[0]![0]);
  }

  async close(): Promise<void> {
    this.connection.closeSync();
    this.instance.closeSync();
    await fs.rm(this.dir, { recursive: true, force: true });
  }
}
