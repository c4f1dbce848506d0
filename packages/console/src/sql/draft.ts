import { cache } from '../service/queries.ts';
import { sessionQuery } from '../session/session.ts';
import type { ParameterInput, ParameterInputs } from './parameters.ts';

/** A statement that is being written, with the values of its parameters. */
export interface Draft {
  readonly sql: string;
  readonly inputs: ParameterInputs;
}

const EMPTY: Draft = { sql: '', inputs: new Map() };

/** Each caller has drafts of their own. */
const storageKey = (env: string): string =>
  `svc-statement-${cache.getQueryData(sessionQuery.queryKey)?.principal.id}-${env}`;

/** The statement that is being written, until the tab is closed or the caller signs out. */
export function readDraft(env: string): Draft {
  try {
    const stored = sessionStorage.getItem(storageKey(env));
    if (stored === null) return EMPTY;
    const { sql, inputs } = JSON.parse(stored) as { sql: string; inputs: [string, ParameterInput][] };
    return { sql, inputs: new Map(inputs) };
  } catch {
    return EMPTY;
  }
}

export function writeDraft(env: string, { sql, inputs }: Draft): void {
  try {
    sessionStorage.setItem(storageKey(env), JSON.stringify({ sql, inputs: [...inputs] }));
  } catch {
    // Without storage, a reload forgets the statement.
  }
}
