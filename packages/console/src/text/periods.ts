export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const LENGTHS = { m: MINUTE, h: HOUR, d: DAY } as const;

/** Periods until now, as the address has them. */
export const PERIODS = {
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
} as const;

/** The length of a period such as `90m`, `6h` or `7d` in milliseconds. */
export function lengthOf(text: string | undefined): number | undefined {
  const match = /^(\d{1,5})([mhd])$/.exec(text ?? '');
  if (match === null) return undefined;
  return Number(match[1]) * LENGTHS[match[2] as keyof typeof LENGTHS];
}

/** An instant of the address; undefined for anything else. */
export function instantIn(text: string | undefined): Date | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : new Date(at);
}

/** `90m`, `24h` or `7d`: the text for a length, to the minute. */
export function lengthText(length: number): string {
  const unit = length > DAY && length % DAY === 0 ? 'd' : length % HOUR === 0 ? 'h' : 'm';
  return `${Math.round(length / LENGTHS[unit])}${unit}`;
}
