import { useState } from 'react';

const STEP = 200;

/** The first items of a long list, and what shows more of them. */
export function useShown<T>(items: readonly T[]) {
  const [limit, setLimit] = useState(STEP);
  const more = {
    hasNextPage: items.length > limit,
    isFetchingNextPage: false,
    fetchNextPage: () => setLimit(limit + STEP),
  };
  return { shown: items.slice(0, limit), more };
}
