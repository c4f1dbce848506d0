import { isUuid } from '@svc/core/ids';
import { PARAMETER_NAME } from '@svc/core/sql-tokens';
import type { BodyOf, QueryTab } from '@svc/sdk/browser';
import { visible } from '../../text/visible.ts';
import { keyOf, NULL, type ParameterInput, type ParameterInputs, parametersOf } from '../parameters.ts';

/** What a chart draws, as the address has it; an empty text is the choice of the page. */
export interface Chart {
  readonly kind: string;
  readonly x: string;
  readonly y: string;
}

/** What a tab shows, and the service stores. */
export interface TabContent {
  readonly title: string | null;
  readonly sql: string;
  readonly inputs: ParameterInputs;
  /** The id of the query whose result is shown. */
  readonly query: string | null;
  /** The id of the saved query that was opened. */
  readonly saved: string | null;
  /** The version of the saved query that the text comes from; null if it isn't known. */
  readonly savedVersion: number | null;
  readonly chart: Chart | null;
}

export const BLANK: TabContent = {
  ...{ title: null, sql: '', inputs: new Map(), query: null },
  ...{ saved: null, savedVersion: null, chart: null },
};

export type TabBody = Omit<BodyOf<'queryTabs.save'>, 'version'>;

const MAX_LINE = 40;

// Anything may be in an address.
const idIn = (text: string | null): string | null => (text !== null && isUuid(text) ? text : null);

/** The content as the service takes it. Values of parameters that the statement no longer has aren't stored. */
export function bodyOf({ title, sql, inputs, query, saved, savedVersion, chart }: TabContent): TabBody {
  const names = parametersOf(sql)?.map(keyOf) ?? null;
  const parameters = [...inputs]
    .filter(([name]) => PARAMETER_NAME.test(name) && (names === null || names.includes(name)))
    .map(([name, { type, value }]) => (type === NULL ? { name, type: 'string', value: null } : { name, type, value }));
  const saved_query_id = idIn(saved);
  const saved_query_version = saved_query_id === null ? null : savedVersion;
  return { title, sql, parameters, query_id: idIn(query), saved_query_id, saved_query_version, chart };
}

export function contentOf(stored: QueryTab): TabContent {
  const { title, sql_text: sql, parameters, query_id, saved_query_id, saved_query_version, chart } = stored;
  const inputs = parameters.map(({ name, type, value }): [string, ParameterInput] => [
    keyOf(name),
    value === null ? { type: NULL, value: '' } : { type, value },
  ]);
  const origin = { saved: saved_query_id, savedVersion: saved_query_version };
  return { title, sql, inputs: new Map(inputs), query: query_id, ...origin, chart };
}

/** Whether the service would store the same. */
export const isSame = (one: TabContent, other: TabContent): boolean =>
  one === other || JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other));

/** Whether the same was written, whatever result is shown of it. */
export const isSameText = (one: TabContent, other: TabContent): boolean => {
  const text = ({ title, sql, inputs }: TabContent): TabContent => ({ ...BLANK, title, sql, inputs });
  return isSame(text(one), text(other));
};

/** The name of a tab: its title, or else the start of its statement. */
export function titleOf({ title, sql }: TabContent): string {
  const line = sql.slice(0, 2000).replace(/\s+/g, ' ').trim();
  const start = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
  return visible(title ?? (start === '' ? 'New tab' : start));
}
