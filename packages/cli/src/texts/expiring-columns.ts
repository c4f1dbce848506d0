import type { ExpiringTable } from '@svc/sdk';
import { time } from '../output/format.ts';
import type { TableColumn } from '../output/table.ts';
import { ruleText } from './retention-text.ts';

/** Columns of lists of expiring tables. */
export const EXPIRING_COLUMNS: readonly TableColumn<ExpiringTable>[] = [
  { header: 'table', cell: ({ namespace, name }) => `${namespace}.${name}` },
  { header: 'expires', cell: ({ expires_at }) => time(expires_at) },
  { header: 'retention', cell: (table) => ruleText({ ...table, never: false }), hide: 3 },
  { header: 'last activity', cell: ({ last_activity_at }) => time(last_activity_at), hide: 1 },
  { header: 'owner', cell: ({ owner }) => owner, hide: 2 },
];
