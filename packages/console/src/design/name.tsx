import { visible } from '../text/visible.ts';

/** A name or text of someone else. It can't change what is around it, whatever it contains. */
export function Name({ children, clipped }: { children: string; clipped?: boolean }) {
  return <bdi className={clipped ? 'name clipped' : 'name'}>{visible(children)}</bdi>;
}
