import { relative, utc } from '../text/times.ts';
import { useNow } from './use-now.ts';

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time relative to now, or in the viewer's zone; both zones on hover. */
export function Time({ at, absolute = false }: { at: string; absolute?: boolean }) {
  const now = useNow(30_000);
  const time = Date.parse(at);
  const local = exact.format(time);
  return (
    <time dateTime={at} title={`${local}\n${utc(at)}`} className="number">
      {absolute ? local : relative(time, now)}
    </time>
  );
}
