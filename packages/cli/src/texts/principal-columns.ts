import type { Principal } from '@svc/sdk';
import { time, yesNo } from '../output/format.ts';
import type { TableColumn } from '../output/table.ts';

export const PRINCIPAL_COLUMNS: readonly TableColumn<Principal>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'type', cell: ({ type }) => type },
  { header: 'active', cell: ({ active }) => yesNo(active) },
  { header: 'created', cell: ({ created_at }) => time(created_at), hide: 2 },
  { header: 'id', cell: ({ id }) => id, hide: 1, whole: true },
];
