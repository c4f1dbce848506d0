import type { ObjectSearch } from './object-fields.tsx';

export const TABS = {
  principal: 'By principal',
  object: 'By object',
  explain: 'Explain',
  grants: 'Grants',
  requests: 'Requests',
  groups: 'Groups',
  principals: 'Principals',
  tokens: 'Tokens and sessions',
};
export type Tab = keyof typeof TABS;

/** What the address of the page has. */
export interface AccessSearch extends ObjectSearch {
  readonly tab?: string | undefined;
  readonly action?: string | undefined;
  readonly principal?: string | undefined;
  readonly group?: string | undefined;
  readonly q?: string | undefined;
  /** Days: only grants that have allowed nothing for that long. */
  readonly unused?: string | undefined;
  /** A time in the past, in UTC. */
  readonly at?: string | undefined;
  /** Of the requests for access. */
  readonly state?: string | undefined;
}

export interface TabProps {
  env: string;
  search: AccessSearch;
  /** The name of the signed-in principal. */
  self: string;
  onChange: (changed: AccessSearch) => void;
}

export const tabOf = (text: string | undefined): Tab =>
  (Object.keys(TABS) as Tab[]).find((tab) => tab === text) ?? 'principal';

/** A number of days that the address has; undefined for anything else. */
export const daysIn = (text: string | undefined): number | undefined =>
  /^[1-9]\d{0,3}$/.test(text ?? '') ? Number(text) : undefined;
