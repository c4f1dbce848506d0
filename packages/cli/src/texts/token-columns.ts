import type { TokenRecord } from '@svc/sdk';
import { time } from '../output/format.ts';
import type { TableColumn } from '../output/table.ts';

type Column = TableColumn<TokenRecord>;

export const expiresColumn: Column = {
  header: 'expires',
  cell: ({ expires_at }) => (expires_at === null ? 'never' : time(expires_at)),
  hide: 5,
};

export const lastUseColumns: readonly Column[] = [
  { header: 'last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : time(at)), hide: 4 },
  { header: 'address', cell: ({ last_used_address }) => last_used_address ?? '-', hide: 2 },
  { header: 'client', cell: ({ last_used_client }) => last_used_client ?? '-', hide: 1 },
];

/** What a token carries at most. */
export function scopeText({ environments, actions }: Pick<TokenRecord, 'environments' | 'actions'>): string {
  const parts = [
    actions?.join(', '),
    environments == null ? undefined : `in ${environments.join(', ') || 'no environment'}`,
  ];
  return parts.filter((part) => part !== undefined).join(' ') || 'everything';
}
