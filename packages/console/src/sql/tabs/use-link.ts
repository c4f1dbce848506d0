import type { Query, SavedQuery } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { tableIdentifier } from '../../text/identifiers.ts';
import { inputsOf } from '../parameters.ts';
import { queryQuery } from '../queries.ts';
import { savedQueryQuery } from '../saved/queries.ts';
import { savedInputsOf } from '../saved/saved-parameters.ts';
import { BLANK, type TabContent } from './tab-content.ts';

interface LinkSearch {
  readonly sql?: string | undefined;
  readonly table?: string | undefined;
  readonly query?: string | undefined;
  readonly saved?: string | undefined;
}

/** The first rows of a table. */
function statementFor(table: string): string {
  const dot = table.lastIndexOf('.');
  return dot <= 0 ? '' : `SELECT *\nFROM ${tableIdentifier(table.slice(0, dot), table.slice(dot + 1))}\nLIMIT 100`;
}

/** What a query ran; null if its text is hidden from the caller. */
export const ofQuery = ({ id, sql_text, params }: Query): TabContent | null =>
  typeof sql_text === 'string' ? { ...BLANK, sql: sql_text, inputs: inputsOf(params), query: id } : null;

const ofSaved = ({ id, version, name, sql_text, parameters }: SavedQuery): TabContent => ({
  ...BLANK,
  ...{ title: name, sql: sql_text, inputs: savedInputsOf(parameters) },
  ...{ saved: id, savedVersion: version },
});

/**
 * What an address opens that names no tab of the caller: a statement, a table, a query or a saved query. Null if it names none,
 * or one that the caller can't read; undefined while it is loaded.
 */
export function useLink(env: string, search: LinkSearch, isLink: boolean): TabContent | null | undefined {
  const { sql, table, query: id, saved: savedId } = search;
  const isWritten = sql !== undefined || table !== undefined;
  const query = useQuery({ ...queryQuery(env, id ?? ''), enabled: isLink && !isWritten && id !== undefined });
  const saved = useQuery({
    ...savedQueryQuery(env, savedId ?? ''),
    enabled: isLink && !isWritten && savedId !== undefined,
  });
  if (sql !== undefined) return { ...BLANK, sql };
  if (table !== undefined) return { ...BLANK, sql: statementFor(table) };
  if (id === undefined) return savedId === undefined ? null : loadedAs(saved, ofSaved);
  if (savedId !== undefined && saved.isPending) return undefined;
  // The query was run after the saved one was opened.
  const origin = { saved: savedId ?? null, title: saved.data?.name ?? null };
  return loadedAs(query, (found) => {
    const content = ofQuery(found);
    return content === null ? null : { ...content, ...origin };
  });
}

interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
}

function loadedAs<T>({ data, error }: Loaded<T>, read: (data: T) => TabContent | null): TabContent | null | undefined {
  if (error !== null) return null;
  return data === undefined ? undefined : read(data);
}
