import { LINKS, VERSION, ZONES } from './generated/zone-data.ts';

/**
 * The periods of constant offset of one zone: period i has the offset `offsets[i]` and ends, exclusively, at `ends[i]`.
 */
export interface ZoneRules {
  /** Milliseconds that local time is ahead of UTC. */
  readonly offsets: readonly number[];
  /** Instants in milliseconds since the epoch, ascending; the last one is Infinity. */
  readonly ends: readonly number[];
}

let packedByName: ReadonlyMap<string, string> | null = null;
const unpacked = new Map<string, ZoneRules>();

function packed(): ReadonlyMap<string, string> {
  if (packedByName === null) {
    const byName = new Map(ZONES.map((line) => [line.slice(0, line.indexOf('|')), line]));
    for (const link of LINKS) {
      const [target, name] = link.split('|');
      const line = byName.get(target!);
      if (line !== undefined) byName.set(name!, line);
    }
    packedByName = byName;
  }
  return packedByName;
}

/** Whether a name is an IANA zone of the shipped database, compared with letter case (CRON-6). */
export function isKnownZone(name: string): boolean {
  return packed().has(name);
}

/** The shipped zone name that differs from a text only in letter case or spaces, to suggest in a message. */
export function likelyZone(name: string): string | null {
  const normalized = name.toLowerCase().replaceAll(' ', '_');
  for (const known of packed().keys()) if (known.toLowerCase() === normalized) return known;
  return null;
}

/** Release of the IANA database that svc ships, such as `2026a`. */
export function zoneDatabaseVersion(): string {
  return VERSION;
}

/** The rules of a known zone. Throws RangeError for an unknown one; see {@link isKnownZone}. */
export function zoneRules(name: string): ZoneRules {
  const ready = unpacked.get(name);
  if (ready !== undefined) return ready;
  const line = packed().get(name);
  if (line === undefined) throw new RangeError(`${JSON.stringify(name)} is not a known time zone`);
  const [, offsetText, runs, gapText] = line.split('|');
  const offsets = offsetText!.split(' ').map((seconds) => Number(seconds) * 1000);
  const ends: number[] = [];
  let minute = 0;
  for (const gap of gapText === '' ? [] : gapText!.split(' ')) {
    minute += Number.parseInt(gap, 36);
    ends.push(minute * 60_000);
  }
  const rules = { offsets: [...runs!].map((c) => offsets[Number.parseInt(c, 36)]!), ends: [...ends, Infinity] };
  unpacked.set(name, rules);
  return rules;
}

/** Index of the period that contains an instant (milliseconds). */
export function periodAt(rules: ZoneRules, instant: number): number {
  let low = 0;
  let high = rules.ends.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (instant < rules.ends[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The instant at which a wall clock first shows a local time, or, if it never does, the instant at which it jumps over
 * that time (CRON-7). `local` is the wall time read as UTC, in milliseconds.
 */
export function firstInstantOf(rules: ZoneRules, local: number): number {
  // No zone is a day and a half away from UTC, so the period at that instant can't be after the wanted one.
  for (let i = periodAt(rules, local - 129_600_000); ; i++) {
    const instant = local - rules.offsets[i]!;
    if (instant < rules.ends[i]!) return i === 0 ? instant : Math.max(instant, rules.ends[i - 1]!);
  }
}

/** An instant in a zone's local time with its offset, such as `2026-03-29T03:00:00+02:00`. */
export function localText(instant: Date, zone: string): string {
  const rules = zoneRules(zone);
  const offset = rules.offsets[periodAt(rules, instant.getTime())]!;
  const local = new Date(instant.getTime() + offset).toISOString().slice(0, 19);
  if (offset === 0) return `${local}Z`;
  const minutes = Math.abs(Math.round(offset / 60_000));
  const twoDigits = (n: number): string => String(n).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}
