/** A schedule as the reference reads it. */
export interface Timer {
  cron: string;
  zone: string;
}

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;

/**
 * The due times of a schedule in [from, to), minute by minute and with Node's time zones: slow, and with nothing in common
 * with the service's computation (CRON-1 to CRON-7).
 */
export function dueTimes({ cron, zone }: Timer, from: number, to: number): number[] {
  const fields = cron.split(' ') as [string, string, string, string, string];
  const wanted = sets(fields);
  const offsetAt = offsets(zone, from - 2 * 86_400_000, to + 2 * 86_400_000);
  const matches = (local: number) => matching(wanted, fields, new Date(local));
  const due = new Set<number>();
  if (fields[1].startsWith('*')) {
    for (let time = from; time < to; time += MINUTE) if (matches(time + offsetAt(time))) due.add(time);
  } else {
    for (let local = from - 86_400_000; local < to + 86_400_000; local += MINUTE)
      if (matches(local)) due.add(momentOf(local, offsetAt));
  }
  return [...due].filter((time) => time >= from && time < to).sort((a, b) => a - b);
}

/** The first moment at which the local time is this, or the first moment after a gap that contains it. */
function momentOf(local: number, offsetAt: (time: number) => number): number {
  const around = [offsetAt(local - 86_400_000), offsetAt(local + 86_400_000)];
  const shown = around.map((offset) => local - offset).filter((time) => time + offsetAt(time) === local);
  if (shown.length > 0) return Math.min(...shown);
  let time = local - Math.max(...around);
  while (time + offsetAt(time) < local) time += MINUTE;
  return time;
}

function sets(fields: readonly string[]): Set<number>[] {
  const ranges = [
    [0, 59],
    [0, 23],
    [1, 31],
    [1, 12],
    [0, 6],
  ] as const;
  return fields.map((field, i) => {
    const [min, max] = ranges[i]!;
    const values = new Set<number>();
    for (const part of field.split(',')) {
      const [range, step = '1'] = part.split('/') as [string, string?];
      const [low, high = low] = range === '*' ? [min, max] : range.split('-').map(Number);
      for (let value = low!; value <= high!; value += Number(step)) values.add(value);
    }
    return values;
  });
}

/** Both day fields if one starts with a star, otherwise either. */
function matching(wanted: Set<number>[], fields: readonly string[], local: Date): boolean {
  const [minutes, hours, days, months, weekdays] = wanted as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  if (!minutes.has(local.getUTCMinutes()) || !hours.has(local.getUTCHours())) return false;
  if (!months.has(local.getUTCMonth() + 1)) return false;
  const [day, weekday] = [days.has(local.getUTCDate()), weekdays.has(local.getUTCDay())];
  return fields[2]!.startsWith('*') || fields[4]!.startsWith('*') ? day && weekday : day || weekday;
}

/** Milliseconds by which a zone is ahead of UTC at a time, looked up for every quarter of an hour. */
function offsets(zone: string, from: number, to: number): (time: number) => number {
  const names = ['year', 'month', 'day', 'hour', 'minute'] as const;
  const text = Object.fromEntries(names.map((name) => [name, 'numeric']));
  const format = new Intl.DateTimeFormat('en-US', { ...text, timeZone: zone, hourCycle: 'h23' });
  const first = Math.floor(from / QUARTER) * QUARTER;
  const known: number[] = [];
  for (let time = first; time <= to; time += QUARTER) {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const [year, month, day, hour, minute] = names.map((name) => parts.get(name)!) as [
      number,
      number,
      number,
      number,
      number,
    ];
    known.push(Date.UTC(year, month - 1, day, hour, minute) - time);
  }
  return (time) => known[Math.floor((time - first) / QUARTER)]!;
}
