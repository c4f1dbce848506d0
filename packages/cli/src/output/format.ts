/** Formats a time for people: `2026-03-01 08:00:00Z`, or `-`. */
export function time(text: string | null | undefined): string {
  return text ? text.replace('T', ' ').replace(/\.\d+Z$/, 'Z') : '-';
}

/** `yes`, `no`, or `-` if it isn't known. */
export function yesNo(value: boolean | null | undefined): string {
  if (value === null || value === undefined) return '-';
  return value ? 'yes' : 'no';
}

/** `1,234`, or `-`. */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : value.toLocaleString('en-US');
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats bytes in decimal units, or `-`. */
export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return '-';
  let [size, unit] = [value, 0];
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}

/** Formats the time between two times in a suitable unit, or `-` if one of them is missing. */
export function duration(from: string | null, to: string | null): string {
  return durationText(from && to ? Date.parse(to) - Date.parse(from) : null);
}

/** Formats milliseconds, or `-`. */
export function durationText(milliseconds: number | null): string {
  if (milliseconds === null) return '-';
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a number of things: `1 row`, `2 rows`. */
export function plural(n: number, word: string): string {
  return `${count(n)} ${word}${n === 1 ? '' : 's'}`;
}
