import { DAY, HOUR, MINUTE } from './periods.ts';

/** `850 ms`, `12.3 s`, `4 min 10 s`, `3 h 5 min`, `2 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / 1000)} s`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`;
  return `${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`;
}

/** `just now`, `5 min ago`, `in 3 h`, `12 d ago`. */
export function relative(time: number, now: number): string {
  const distance = Math.abs(now - time);
  if (distance < 45_000) return time > now ? 'in a moment' : 'just now';
  const [unit, length] = distance < HOUR ? ['min', MINUTE] : distance < DAY ? ['h', HOUR] : ['d', DAY];
  const text = `${Math.max(1, Math.round(distance / (length as number)))} ${unit}`;
  return time > now ? `in ${text}` : `${text} ago`;
}

/** The time left until then, at minute precision; null if it is over. */
export function timeLeft(until: number, now: number): string | null {
  const left = until - now;
  if (left <= 0) return null;
  return left < HOUR ? `${Math.max(1, Math.round(left / MINUTE))} min` : duration(left);
}

const medium = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** In the zone and the format of the viewer. */
export const exact = (time: string): string => medium.format(Date.parse(time));

/** `2026-11-26 09:15:02 UTC`. */
export const utc = (time: string): string => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const two = (value: number): string => String(value).padStart(2, '0');

/** A time as the value of a field of type `datetime-local`, in the viewer's zone. */
export function localInput(time: Date | undefined): string {
  if (time === undefined) return '';
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** The time that such a field has, in UTC; undefined while it is empty. */
export function localInputTime(value: string): string | undefined {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

/** `Sun 2026-03-29 03:00 +02:00`: a time in the zone of a schedule, whatever the zone of the viewer. */
export function zoned(local: string): string {
  const wall = local.slice(0, 19);
  const offset = local.slice(19);
  return `${weekday.format(Date.parse(`${wall}Z`))} ${wall.slice(0, 16).replace('T', ' ')} ${offset === 'Z' ? 'UTC' : offset}`;
}
