import { type NavigateOptions, useRouter } from '@tanstack/react-router';

/** The address of a page, for links that the router doesn't make. */
export function useHref(): (target: NavigateOptions) => string {
  const router = useRouter();
  return (target) => router.history.createHref(router.buildLocation(target).publicHref);
}
