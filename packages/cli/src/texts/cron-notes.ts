import { type Cron, localText } from '@svc/sdk/cron';

const HOUR = 3_600_000;
/** No clock change is longer than this. */
const NEAR = 3 * HOUR;
const DAY = 24 * HOUR;

/** What daylight saving does to a time that fires; null for most (specification 2.8, cron rule 7). `before` fired last. */
export function daylightNote(cron: Cron, zone: string, at: Date, before: Date | null): string | null {
  const look = (instant: number) => clockAt(new Date(instant), zone);
  const now = look(at.getTime());
  if (!cron.hour.star && !(cron.hour.values.includes(now.hour) && cron.minute.values.includes(now.minute)))
    return 'moved: the clocks skip its time';
  const repeatedLater = look(at.getTime() + now.offset - look(at.getTime() + NEAR).offset);
  if (repeatedLater.offset < now.offset && repeatedLater.wall === now.wall)
    return cron.hour.star ? 'first of two: the clocks show this time twice' : 'once: the clocks show this time twice';
  const shownBefore = look(at.getTime() - (look(at.getTime() - NEAR).offset - now.offset));
  if (shownBefore.offset > now.offset && shownBefore.wall === now.wall)
    return 'second of two: the clocks show this time twice';
  const recent = before !== null && at.getTime() - before.getTime() <= DAY;
  if (cron.hour.star && recent && look(before.getTime()).offset < now.offset)
    return 'the clocks have gone forward: what they skip does not fire';
  return null;
}

/** What a clock in the zone shows; the offset from UTC in milliseconds. */
function clockAt(instant: Date, zone: string) {
  const wall = localText(instant, zone).slice(0, 19);
  return {
    wall,
    hour: Number(wall.slice(11, 13)),
    minute: Number(wall.slice(14, 16)),
    offset: Date.parse(`${wall}Z`) - Math.floor(instant.getTime() / 1000) * 1000,
  };
}
