import { exact, relative, utc, zoned } from '../text/times.ts';
import { useNow } from './use-now.ts';

/** A time relative to now, or in the viewer's zone; both zones on hover. */
export function Time({ at, absolute = false }: { at: string; absolute?: boolean }) {
  const now = useNow(30_000);
  const local = exact(at);
  return (
    <time dateTime={at} title={`${local}\n${utc(at)}`} className="number">
      {absolute ? local : relative(Date.parse(at), now)}
    </time>
  );
}

/** A time of a schedule in the zone of the schedule; the viewer's zone and UTC on hover. */
export function ZonedTime({ at, local }: { at: string; local: string }) {
  return (
    <time dateTime={at} title={`${exact(at)}\n${utc(at)}`} className="number">
      {zoned(local)}
    </time>
  );
}
