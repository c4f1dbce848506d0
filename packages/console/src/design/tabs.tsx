import type { ReactNode } from 'react';
import { useCurrentInView } from './use-current-in-view.ts';

/** A tab is a part of the address, so its link is active only if the whole address is its own. */
export const WHOLE_ADDRESS = { exact: true, includeSearch: true };

/** Links between the parts of a page. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const nav = useCurrentInView<HTMLElement>();
  return (
    <nav className="tabs" aria-label={label} ref={nav}>
      {children}
    </nav>
  );
}
