import { inSandbox } from './prepare-query.ts';
import type { QueryError } from './query-errors.ts';
import type { ChildSource } from './sandbox/child-process.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { NamedAt } from './statement/read-statement.ts';

/** What a statement reads, or why it can't run whatever the tables are. Positions count UTF-16 units of the text. */
export type StatementRead =
  | { readonly ok: true; readonly tables: readonly NamedAt[]; readonly columns: readonly NamedAt[] }
  | { readonly ok: false; readonly error: QueryError };

/**
 * Parses statements with the engine's own parser, without reading any table. If a statement crashes the engine's
 * process, its entry reports this and is the last one.
 */
export async function readStatements(
  sandbox: Sandbox,
  request: {
    readonly statements: readonly string[];
    readonly owner?: string;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<readonly StatementRead[]> {
  const reads: StatementRead[] = [];
  const { statements, owner, signal } = request;
  if (statements.length === 0) return reads;
  const outcome = await inSandbox(
    sandbox,
    { ...(owner === undefined ? {} : { owner }), ...(signal === undefined ? {} : { signal }) },
    async (lease) => {
      for (const sql of statements) reads.push(await readStatement(sandbox, lease, sql));
      return { ok: true as const };
    },
  );
  return outcome.ok ? reads : [...reads, outcome];
}

async function readStatement({ syntax }: Sandbox, source: ChildSource, sql: string): Promise<StatementRead> {
  const parsed = await syntax.statement(source, sql);
  const bytes = Buffer.from(sql);
  // The parser counts characters in its errors, but UTF-8 bytes in its tree.
  const ofBytes = (position: number) => bytes.subarray(0, position).toString().length;
  const ofCharacters = (position: number) => [...sql].slice(0, position).join('').length;
  if (!parsed.ok) {
    const { code, message, position } = parsed;
    if (position === undefined) return { ok: false, error: { code, message } };
    const inText = code === 'parse-error' ? ofCharacters : ofBytes;
    return { ok: false, error: { code, message, position: inText(position) } };
  }
  const inText = ({ name, position }: NamedAt): NamedAt => ({
    name,
    position: position === null || position > bytes.length ? null : ofBytes(position),
  });
  return { ok: true, tables: parsed.tables.map(inText), columns: parsed.columns.map(inText) };
}
