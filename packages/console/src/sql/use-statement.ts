import type { Query } from '@svc/sdk/browser';
import { useEffect, useRef, useState } from 'react';
import { tableIdentifier } from '../text/identifiers.ts';
import { type Draft, readDraft, writeDraft } from './draft.ts';
import { inputsOf } from './parameters.ts';

interface Origin {
  env: string;
  /** The query of the address, once it is loaded. */
  query: Query | undefined;
  /** The table of the address: its first rows are a start. */
  table: string | undefined;
}

function statementFor(table: string): string {
  const dot = table.lastIndexOf('.');
  return dot <= 0 ? '' : `SELECT *\nFROM ${tableIdentifier(table.slice(0, dot), table.slice(dot + 1))}\nLIMIT 100`;
}

/** The statement in the editor: the draft, until the address names a query or a table. */
export function useStatement({ env, query, table }: Origin): [Draft, (changed: Partial<Draft>) => void] {
  const [draft, setDraft] = useState(() => readDraft(env));
  const shown = useRef<string | undefined>(undefined);
  const origin = table ?? query?.id;
  useEffect(() => {
    const sql = table !== undefined ? statementFor(table) : query?.sql_text;
    if (origin === undefined || shown.current === origin || typeof sql !== 'string') return;
    shown.current = origin;
    setDraft({ sql, inputs: inputsOf(table === undefined ? query?.params : undefined) });
  }, [origin, table, query]);
  useEffect(() => writeDraft(env, draft), [env, draft]);
  const change = (changed: Partial<Draft>) => setDraft((current) => ({ ...current, ...changed }));
  return [draft, change];
}
