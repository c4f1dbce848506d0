import { type Cron, localText } from '@svc/sdk/cron';

const HOUR = 3_600_000;
/** Longer than any clock change. */
const NEAR = 3 * HOUR;
const DAY = 24 * HOUR;

/** The effect of daylight saving time on a time; null without an effect. `before` is the previous time. */
export function daylightNote(cron: Cron, zone: string, at: Date, before: Date | null): string | null {
  const localTime = (instant: number) => clockTime(new Date(instant), zone);
  const now = localTime(at.getTime());
  if (!cron.hour.star && !(cron.hour.values.includes(now.hour) && cron.minute.values.includes(now.minute)))
    return 'moved: the clocks skip this time';
  const repeatedLater = localTime(at.getTime() + now.offset - localTime(at.getTime() + NEAR).offset);
  if (repeatedLater.offset < now.offset && repeatedLater.wall === now.wall)
    return cron.hour.star ? 'first of two: the clocks show this time twice' : 'once: the clocks show this time twice';
  const shownBefore = localTime(at.getTime() - (localTime(at.getTime() - NEAR).offset - now.offset));
  if (shownBefore.offset > now.offset && shownBefore.wall === now.wall)
    return 'second of two: the clocks show this time twice';
  const recent = before !== null && at.getTime() - before.getTime() <= DAY;
  if (cron.hour.star && recent && localTime(before.getTime()).offset < now.offset)
    return "the clocks have gone forward: skipped times don't fire";
  return null;
}

/** The local time in a zone; the offset from UTC is in milliseconds. */
function clockTime(instant: Date, zone: string) {
  const wall = localText(instant, zone).slice(0, 19);
  return {
    wall,
    hour: Number(wall.slice(11, 13)),
    minute: Number(wall.slice(14, 16)),
    offset: Date.parse(`${wall}Z`) - Math.floor(instant.getTime() / 1000) * 1000,
  };
}
