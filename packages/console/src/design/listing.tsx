import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { DataTable } from './data-table.tsx';
import { LoadMore } from './load-more.tsx';
import { ErrorState, Loading, Outdated } from './states.tsx';

interface ListingProps<T> {
  query: UseInfiniteQueryResult<InfiniteData<{ items: readonly T[] }>>;
  columns: ComponentProps<typeof DataTable>['columns'];
  className?: string;
  /** Shown if there are no rows. */
  empty: ReactNode;
  row: (item: T) => ReactNode;
}

/** A list that is loaded page by page. */
export function Listing<T>({ query, columns, className = '', empty, row }: ListingProps<T>) {
  const { data, error, refetch } = query;
  if (data === undefined) return error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />;
  const items = data.pages.flatMap((page) => page.items);
  if (items.length === 0) return empty;
  return (
    <>
      <Outdated what="The list" error={error} />
      <DataTable columns={columns} className={className}>
        {items.map(row)}
      </DataTable>
      <LoadMore query={query} />
    </>
  );
}
