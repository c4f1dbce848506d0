import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import { keywordCompletionSource, PostgreSQL } from '@codemirror/lang-sql';
import { searchQuery, tableQuery } from '../catalog/queries.ts';
import { cache } from '../service/queries.ts';
import { identifier } from '../text/identifiers.ts';
import { visible } from '../text/visible.ts';
import { tablesOf } from './statement-tables.ts';

/** Tables of a statement whose columns are completed. */
const MAX_TABLES = 8;

const plain = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : identifier(name));
const plainPath = (path: string): string => path.split('.').map(plain).join('.');

/** The columns of the tables in the statement; of the one with this alias only, if there is one. */
async function columnsIn(env: string, sql: string, alias: string | null): Promise<Completion[]> {
  const named = tablesOf(sql).filter((each) => alias === null || each.alias.toLowerCase() === alias.toLowerCase());
  const tables = await Promise.allSettled(
    named.slice(0, MAX_TABLES).map(({ table }) => cache.ensureQueryData(tableQuery(env, table))),
  );
  return tables.flatMap((found) =>
    found.status === 'rejected'
      ? []
      : found.value.columns.map(({ name, type }) => ({
          label: plain(name),
          displayLabel: visible(name),
          detail: visible(type),
          type: 'property',
          boost: 90,
        })),
  );
}

/** Tables and namespaces whose names contain the text. The service searches, so their number doesn't matter. */
async function tablesLike(env: string, text: string): Promise<Completion[]> {
  const found = await cache.fetchQuery(searchQuery(env, text, ['table', 'namespace'])).catch(() => []);
  return found.map(({ kind, name }) => ({
    label: plainPath(name),
    displayLabel: visible(name),
    detail: kind,
    type: kind === 'table' ? 'class' : 'namespace',
    boost: 80,
  }));
}

const keywords = keywordCompletionSource(PostgreSQL);

/** Completes keywords, but not as parts of a dotted name. */
export const keywordCompletion: CompletionSource = (context) =>
  context.matchBefore(/[\w."]*/)?.text.includes('.') ? null : keywords(context);

/** Completes names of the environment's tables and of their columns. */
export function catalogCompletion(env: string) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\w."]*/);
    if (word === null || (word.text === '' && !context.explicit)) return null;
    const sql = context.state.doc.toString();
    const dot = word.text.lastIndexOf('.');
    const alias = dot === -1 ? null : word.text.slice(0, dot);
    const columns = await columnsIn(env, sql, alias);
    if (alias !== null && columns.length > 0) return { from: word.from + dot + 1, options: columns, validFor: /^\w*$/ };
    const text = word.text.replaceAll('"', '');
    const tables = text === '' ? [] : await tablesLike(env, text);
    if (context.aborted) return null;
    return { from: word.from, options: [...columns, ...tables] };
  };
}
