import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Parser } from '../statement/parser.ts';

/** DuckDB's parser. Its statements are planned once for each engine, because planning one costs more than running it. */
export class EngineParser implements Parser {
  private readonly connection: DuckDBConnection;
  private readonly statements = new Map<string, Promise<DuckDBPreparedStatement>>();

  constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  async parse(sql: string): Promise<string> {
    const [tree] = await this.values('SELECT json_serialize_sql($1::VARCHAR)', sql);
    return String(tree);
  }

  async deparse(ast: string): Promise<string | null> {
    const [text] = await this.values('SELECT json_deserialize_sql($1::JSON)', ast).catch(() => [null]);
    return text === null ? null : String(text);
  }

  async deparseAndParse(ast: string): Promise<{ text: string; tree: string } | null> {
    const statement = 'SELECT t, json_serialize_sql(t) FROM (SELECT json_deserialize_sql($1::JSON) AS t)';
    const [text, tree] = await this.values(statement, ast).catch(() => [null, null]);
    return text === null || tree === null ? null : { text: String(text), tree: String(tree) };
  }

  /** An engine can't be closed completely while it has prepared statements. */
  close(): void {
    for (const statement of this.statements.values())
      statement.then(
        (prepared) => prepared.destroySync(),
        () => undefined,
      );
  }

  private async values(sql: string, parameter: string): Promise<readonly unknown[]> {
    const preparing = this.statements.get(sql) ?? this.connection.prepare(sql);
    this.statements.set(sql, preparing);
    const prepared = await preparing;
    prepared.bindVarchar(1, parameter);
    // The rows are in memory: fetching them would be another task for a thread.
    return (await prepared.run()).getChunk(0).getRows()[0]!;
  }
}
