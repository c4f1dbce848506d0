import * as z from 'zod';

const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:[.,]\d{1,9})?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)$/i;
/** Digits below a millisecond that are not all zero. */
const SUB_MILLISECOND = /[.,]\d{3}\d*[1-9]/;

/**
 * The instant of an ISO 8601 time with a time zone (HTTP-11); null for anything else, including dates that don't exist.
 */
export function readInstant(text: string): Date | null {
  const [, date, time, seconds = ':00', zoneHours, zoneMinutes = '00'] = INSTANT.exec(text) ?? [];
  if (date === undefined) return null;
  // Date.parse turns February 30 into March 2.
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) return null;
  const zone = zoneHours === undefined ? 'Z' : `${zoneHours}:${zoneMinutes}`;
  const at = new Date(`${date}T${time}${seconds.replace(',', '.')}${zone}`);
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999 ? at : null;
}

/** The text of an instant with a time zone. */
export const zonedTime = z
  .string()
  .refine((text) => readInstant(text) !== null, 'must be a time with a time zone, written like 2026-03-01T08:00:00Z');

/**
 * A parameter that bounds a list in time: an instant with a time zone (HTTP-11). Records have milliseconds, so a finer
 * bound is rounded up to the next one: the same records are at or after it, and before it.
 */
export const instantText = z
  .string()
  .refine(
    (text) => readInstant(text) !== null,
    'must be a time with a time zone, written like 2026-03-01T08:00:00Z or 2026-03-01T08:00:00+01:00 (in a URL, + is written %2B)',
  )
  .transform((text) => new Date(readInstant(text)!.getTime() + (SUB_MILLISECOND.test(text) ? 1 : 0)))
  .meta({ format: 'date-time' });
