import type { Query } from '@svc/sdk/browser';
import { useEffect, useRef, useState } from 'react';
import { tableIdentifier } from '../text/identifiers.ts';
import { readDraft, writeDraft } from './draft.ts';

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

/** The text of the editor: the draft, until the address names a query or a table. */
export function useStatement({ env, query, table }: Origin): [string, (sql: string) => void] {
  const [sql, setSql] = useState(() => readDraft(env));
  const shown = useRef<string | undefined>(undefined);
  const text = table !== undefined ? statementFor(table) : query?.sql_text;
  const origin = table ?? query?.id;
  useEffect(() => {
    if (origin === undefined || shown.current === origin || typeof text !== 'string') return;
    shown.current = origin;
    setSql(text);
    writeDraft(env, text);
  }, [env, origin, text]);
  const change = (changed: string) => {
    setSql(changed);
    writeDraft(env, changed);
  };
  return [sql, change];
}
