import { useEffect } from 'react';
import { visible } from '../text/visible.ts';

/** Sets the title of the page, the most specific name first. */
export function useTitle(...names: readonly string[]): void {
  const title = [...names, 'svc'].map(visible).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
