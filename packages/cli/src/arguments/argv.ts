const GLOBALS_WITH_VALUE = ['--output', '-o', '--profile', '--url', '--env', '-e'];

/** What `--url` before the command means, also where the command has a `--url` of its own. */
const SERVICE_URL = '--service-url';

/**
 * Moves the global options that stand before the command behind it, before any `--` (specification 1: the option is
 * placed before the command).
 */
export function globalsLast(argv: readonly string[]): string[] {
  const moved: string[] = [];
  let at = 0;
  while (at < argv.length) {
    const word = argv[at]!;
    if (GLOBALS_WITH_VALUE.includes(word) && at + 1 < argv.length) {
      moved.push(serviceUrl(word), argv[at + 1]!);
      at += 2;
    } else if (GLOBALS_WITH_VALUE.some((name) => word.startsWith(`${name}=`)) || /^-[oe]./.test(word)) {
      moved.push(serviceUrl(word));
      at += 1;
    } else break;
  }
  const rest = argv.slice(at);
  const end = rest.indexOf('--');
  return end === -1 ? [...rest, ...moved] : [...rest.slice(0, end), ...moved, ...rest.slice(end)];
}

const serviceUrl = (word: string) => word.replace(/^--url(?==|$)/, SERVICE_URL);

/** The command whose words the arguments begin with, the longest of several, and the arguments after it. */
export function findCommand(argv: readonly string[], ids: readonly string[]): { id: string; rest: string[] } | null {
  for (let words = Math.min(3, argv.length); words > 0; words--) {
    const id = argv.slice(0, words).join(' ');
    if (ids.includes(id)) return { id, rest: argv.slice(words) };
  }
  return null;
}

/** The ids that are nearly what was typed, nearest first. */
export function nearest(typed: string, ids: readonly string[]): string[] {
  const near = ids
    .map((id) => ({ id, far: distance(typed, id) }))
    .filter(({ far, id }) => far <= Math.max(2, id.length / 3));
  return near
    .sort((a, b) => a.far - b.far)
    .map(({ id }) => id)
    .slice(0, 3);
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
