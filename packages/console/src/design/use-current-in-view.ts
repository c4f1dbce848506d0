import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** Scrolls the link of the current address into view: a narrow window shows only some of the links. */
export function useCurrentInView<T extends HTMLElement>(): RefObject<T | null> {
  const links = useRef<T>(null);
  const href = useRouterState({ select: ({ location }) => location.href });
  const shown = useRef<string>(null);
  useEffect(() => {
    const link = links.current?.querySelector('[aria-current="page"]');
    if (links.current === null || link == null || shown.current === href) return;
    shown.current = href;
    const [box, { left, right }] = [links.current.getBoundingClientRect(), link.getBoundingClientRect()];
    // Not scrollIntoView, which would also scroll the page.
    if (left < box.left) links.current.scrollLeft += left - box.left;
    else if (right > box.right) links.current.scrollLeft += right - box.right;
  }, [href]);
  return links;
}
