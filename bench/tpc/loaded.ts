import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { RunningService } from '../service/service.ts';
import { type Suite, type SuiteData, suiteData, wireColumns } from './data.ts';

export const ENVIRONMENT = 'bench';

const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** A suite's tables in a service, and views of the same data files in bare DuckDB. */
export class LoadedSuite {
  readonly duckdb: DuckDBConnection;
  readonly data: SuiteData;
  private readonly suite: Suite;
  private readonly service: RunningService;
  private readonly known = new Set<string>();

  private constructor(suite: Suite, data: SuiteData, service: RunningService, duckdb: DuckDBConnection) {
    this.suite = suite;
    this.data = data;
    this.service = service;
    this.duckdb = duckdb;
  }

  static async load(suite: Suite, scale: number, service: RunningService): Promise<LoadedSuite> {
    const data = await suiteData(suite, scale);
    const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
    await service.client.environments.create(ENVIRONMENT);
    await service.client.namespaces.create(ENVIRONMENT, suite);
    const loaded = new LoadedSuite(suite, data, service, duckdb);
    for (const [table, file] of data.tables) await loaded.load(table, file);
    return loaded;
  }

  /** The statement with the namespace before every table. */
  async qualified(sql: string): Promise<string> {
    const { tables } = this.data;
    const tree = JSON.parse(String(await this.value(`SELECT json_serialize_sql(${text(sql)})`)), (key, node) => {
      // An unknown position is a number that JavaScript can't represent.
      if (key === 'query_location') return 0;
      return node?.type === 'BASE_TABLE' && tables.has(node.table_name) ? { ...node, schema_name: this.suite } : node;
    });
    return String(await this.value(`SELECT json_deserialize_sql(${text(JSON.stringify(tree))})`));
  }

  private async load(table: string, file: string): Promise<void> {
    const { client } = this.service;
    const columns = await wireColumns(this.duckdb, file);
    const name = `${this.suite}.${table}`;
    await client.tables.create(ENVIRONMENT, name, { kind: 'managed', description: null, columns });
    const write = await client.tables.load(ENVIRONMENT, name, () => createReadStream(file), { format: 'parquet' });
    const loaded = await client.writes.wait(ENVIRONMENT, write.id);
    if (loaded.status !== 'succeeded') throw new Error(JSON.stringify(loaded));
    await this.duckdb.run(`CREATE VIEW ${table} AS SELECT * FROM read_parquet([${this.newFiles().map(text).join()}])`);
  }

  /** The data files that were written since the last call. */
  private newFiles(): string[] {
    const folder = join(this.service.home, 'warehouse', 'tables');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.parquet') && !this.known.has(name),
    );
    for (const name of files) this.known.add(name);
    return files.map((name) => join(folder, name));
  }

  private async value(sql: string): Promise<unknown> {
    return (await this.duckdb.runAndReadAll(sql)).getRows()[0]?.[0];
  }
}
