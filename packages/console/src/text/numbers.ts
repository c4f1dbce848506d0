const whole = new Intl.NumberFormat('en');
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `1,234,567`; a dash for an unknown number. */
export const count = (value: number | null | undefined): string => (value == null ? '–' : whole.format(value));

/** `1.2 GB` in decimal units, like the command line. */
export function bytes(value: number | null | undefined): string {
  if (value == null) return '–';
  let unit = 0;
  let size = value;
  for (; size >= 999.5 && unit < UNITS.length - 1; unit++) size /= 1000;
  return `${unit > 0 && size < 9.95 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
