export const DURATION = /^(\d{1,6}) (minute|hour|day)s?$/;

export interface Duration {
  readonly count: number;
  readonly unit: 'minute' | 'hour' | 'day';
}

/** Parses a duration such as `3 days`; null for anything else. */
export function parseDuration(text: string): Duration | null {
  const match = DURATION.exec(text);
  return match === null ? null : { count: Number(match[1]), unit: match[2] as Duration['unit'] };
}
