import { inSandbox } from './prepare-query.ts';
import type { QueryError } from './query-errors.ts';
import type { EngineChild } from './sandbox/child-process.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { guard, type TableName } from './statement/guard.ts';
import type { Node } from './statement/guard-refusal.ts';

/** A name in a statement, and where it starts; null where the parser doesn't record it. */
export interface NamedAt {
  readonly name: TableName;
  readonly position: number | null;
}

/** What a statement reads, or why it can't run whatever the tables are. Positions count UTF-16 units of the text. */
export type StatementRead =
  | { readonly ok: true; readonly tables: readonly NamedAt[]; readonly columns: readonly NamedAt[] }
  | { readonly ok: false; readonly error: QueryError };

/**
 * Parses statements with the engine's own parser, without looking at any table. When the engine's process dies of one, its
 * entry says so and is the last.
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
    async (child) => {
      for (const sql of statements) reads.push(await readStatement(sandbox, child, sql));
      return { ok: true as const };
    },
  );
  return outcome.ok ? reads : [...reads, outcome];
}

async function readStatement({ syntax }: Sandbox, child: EngineChild, sql: string): Promise<StatementRead> {
  const parsed = guard(await syntax.treeOf(child, sql));
  const bytes = Buffer.from(sql);
  // The parser counts characters in its errors, and bytes of UTF-8 in its tree.
  const ofBytes = (position: number) => bytes.subarray(0, position).toString().length;
  const ofCharacters = (position: number) => [...sql].slice(0, position).join('').length;
  if (!parsed.ok) {
    const { code, message, position } = parsed;
    if (position === undefined) return { ok: false, error: { code, message } };
    const inText = code === 'parse-error' ? ofCharacters : ofBytes;
    return { ok: false, error: { code, message, position: inText(position) } };
  }
  const at = (node: Node): number | null => {
    const position = Number(String(node['query_location']));
    return Number.isSafeInteger(position) && position <= bytes.length ? ofBytes(position) : null;
  };
  return {
    ok: true,
    tables: parsed.tableNodes.map(({ node, name }) => ({ name, position: at(node) })),
    columns: parsed.columnRefs.map((node) => ({ name: node['column_names'] as string[], position: at(node) })),
  };
}
