import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The address of a page, for links that the router doesn't make. */
export function useHref(): (target: NavigateOptions) => string {
  const router = useRouter();
  return useCallback((target) => router.history.createHref(router.buildLocation(target).publicHref), [router]);
}
