import type { Query, SavedQuery } from '@svc/sdk/browser';
import { useEffect, useRef, useState } from 'react';
import { tableIdentifier } from '../text/identifiers.ts';
import { type Draft, readDraft, writeDraft } from './draft.ts';
import { inputsOf } from './parameters.ts';
import { savedInputsOf } from './saved/saved-parameters.ts';

interface Origin {
  env: string;
  /** The query of the address, once it is loaded. */
  query: Query | undefined;
  /** The table of the address: its first rows are a start. */
  table: string | undefined;
  /** The saved query of the address, once it is loaded. A query of the address was run after it was opened. */
  saved: SavedQuery | undefined;
}

function statementFor(table: string): string {
  const dot = table.lastIndexOf('.');
  return dot <= 0 ? '' : `SELECT *\nFROM ${tableIdentifier(table.slice(0, dot), table.slice(dot + 1))}\nLIMIT 100`;
}

/** The statement in the editor: the draft, until the address names a query or a table. */
export function useStatement(origin: Origin): [Draft, (changed: Partial<Draft>) => void] {
  const { env } = origin;
  const [draft, setDraft] = useState(() => readDraft(env));
  const shown = useRef<string | undefined>(undefined);
  const { id, draft: start } = startOf(origin);
  useEffect(() => {
    if (id === undefined || shown.current === id || start === undefined) return;
    shown.current = id;
    setDraft(start);
  }, [id, start]);
  useEffect(() => writeDraft(env, draft), [env, draft]);
  const change = (changed: Partial<Draft>) => setDraft((current) => ({ ...current, ...changed }));
  return [draft, change];
}

/** What the address shows first, with an id by which it is shown once. */
function startOf({ table, query, saved }: Origin): { id?: string; draft?: Draft } {
  if (table !== undefined) return { id: table, draft: { sql: statementFor(table), inputs: inputsOf(undefined) } };
  if (query !== undefined)
    return typeof query.sql_text === 'string'
      ? { id: query.id, draft: { sql: query.sql_text, inputs: inputsOf(query.params) } }
      : { id: query.id };
  if (saved !== undefined)
    return { id: saved.id, draft: { sql: saved.sql_text, inputs: savedInputsOf(saved.parameters) } };
  return {};
}
