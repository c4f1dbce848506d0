import { queryOptions } from '@tanstack/react-query';
import { svc } from '../service/client.ts';

export interface LineageOptions {
  readonly direction?: 'upstream' | 'downstream' | undefined;
  readonly depth?: number | undefined;
}

export const lineageQuery = (env: string, table: string, options: LineageOptions) =>
  queryOptions({
    queryKey: ['lineage', env, table, options],
    queryFn: ({ signal }) => svc.lineage.get(env, table, { ...options, signal }),
  });
