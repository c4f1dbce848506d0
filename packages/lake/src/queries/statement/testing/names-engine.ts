import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { stringify } from 'lossless-json';
import { guard, type TableName, tableKey } from '../guard.ts';
import { rewriteNames, viewNameOf } from '../rewrite-tables.ts';
import { plainNames, quoted, randomFrom, StatementWriter } from './random-statements.ts';

/** A statement's outcome in a comparable form: its rows in order, or that it failed. */
type Outcome = { readonly rows: string } | { readonly failed: string };

/**
 * An engine in which every name of the random statements is a table or a file with a value of its own, so that a result
 * shows what each name was resolved to. The views that the rewriting names show the same values.
 */
export class NamesEngine {
  private readonly dir: string;
  private readonly instance: DuckDBInstance;
  private readonly connection: DuckDBConnection;
  private readonly names: readonly string[];

  private constructor(dir: string, instance: DuckDBInstance, connection: DuckDBConnection, names: readonly string[]) {
    this.dir = dir;
    this.instance = instance;
    this.connection = connection;
    this.names = names;
  }

  static async open(): Promise<NamesEngine> {
    const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'names-'));
    const file = path.join(dir, 'file.csv');
    await fs.writeFile(file, 'x\nfile\n');
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    const engine = new NamesEngine(dir, instance, connection, [...plainNames, file]);
    await connection.run("ATTACH ':memory:' AS lake; CREATE SCHEMA s");
    const made = new Set<string>();
    for (const [i, name] of plainNames.entries()) {
      for (const [schema, value] of [
        ['main', `m${i}`],
        ['s', `s${i}`],
      ] as const) {
        const key = tableKey([schema, name]);
        if (made.has(key)) continue;
        made.add(key);
        await connection.run(`CREATE TABLE memory.${schema}.${quoted(name)} AS SELECT '${value}' AS x`);
        await engine.addView(schema === 'main' ? [name] : [schema, name], `memory.${schema}.${quoted(name)}`);
      }
    }
    await engine.addView([file], `read_csv('${file}')`);
    return engine;
  }

  private async addView(name: TableName, from: string): Promise<void> {
    const [schema, table] = viewNameOf(name, null);
    await this.connection.run(
      `CREATE SCHEMA IF NOT EXISTS lake.${quoted(schema)}; CREATE VIEW lake.${quoted(schema)}.${quoted(table)} AS SELECT x FROM ${from}`,
    );
  }

  /** The statements, out of `count` random ones, whose rewritten form has another result than the original in DuckDB. */
  async differences(seed: number, count: number): Promise<{ differing: string[]; compared: number }> {
    const random = randomFrom(seed);
    const differing: string[] = [];
    let compared = 0;
    for (let n = 0; n < count; n++) {
      const sql = new StatementWriter(random, this.names).statement();
      const rewritten = await this.rewritten(sql);
      const [expected, actual] = [await this.run(sql), await this.run(rewritten)];
      if ('rows' in expected) compared += 1;
      if (JSON.stringify(expected) === JSON.stringify(actual)) continue;
      if ('failed' in expected && 'failed' in actual) continue;
      differing.push(`${sql}\n→ ${JSON.stringify(expected)}\n${rewritten}\n→ ${JSON.stringify(actual)}`);
    }
    return { differing, compared };
  }

  private async rewritten(sql: string): Promise<string> {
    const guarded = guard(await this.text('SELECT json_serialize_sql($1::VARCHAR)', sql));
    if (!guarded.ok) return `refused: ${guarded.message}`;
    rewriteNames(guarded);
    return this.text('SELECT json_deserialize_sql($1::JSON)', stringify(guarded.ast)!);
  }

  private async text(sql: string, value: string): Promise<string> {
    return String((await this.connection.runAndReadAll(sql, [value])).getRows()[0]![0]);
  }

  private async run(sql: string): Promise<Outcome> {
    try {
      const rows = (await this.connection.runAndReadAll(sql)).getRows();
      return { rows: JSON.stringify(rows.map((row) => String(row[0])).toSorted()) };
    } catch (error) {
      return { failed: (error as Error).message.split('\n')[0]! };
    }
  }

  async close(): Promise<void> {
    this.connection.closeSync();
    this.instance.closeSync();
    await fs.rm(this.dir, { recursive: true, force: true });
  }
}
