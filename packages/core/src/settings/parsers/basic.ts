import * as z from 'zod';

const number = (min: number, max: number) =>
  z.string().transform((text, context) => {
    const n = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (n >= min && n <= max) return n;
    context.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}` });
    return z.NEVER;
  });

export const whole = (min: number, max: number, byDefault: number) =>
  z.string().default(String(byDefault)).pipe(number(min, max));

export const optionalWhole = (min: number, max: number) => number(min, max).optional();

/** A number; null for 0, which means no limit. */
export const countOrNone = (max: number, byDefault: number) =>
  whole(0, max, byDefault).transform((count) => (count === 0 ? null : count));

export const bool = (byDefault: boolean) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default(byDefault ? 'true' : 'false')
    .transform((text) => text === 'true');

export const text = () => z.string().min(1, 'must not be empty').optional();
export const list = () =>
  z
    .string()
    .default('')
    .transform((t) =>
      t
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    );

/** Absolute paths of folders. */
export const folders = list().refine((value) => value.every((path) => path.startsWith('/')), 'must be absolute paths');

function decodedPath(path: string): string | null {
  try {
    return decodeURIComponent(path).replace(/^\/(?=[a-z]:)/i, '');
  } catch {
    return null;
  }
}

/** Local folders, also as the `file:` URLs in which responses show locations. */
export const localFolders = list().transform((values, context) =>
  values.map((value) => {
    // One letter is a drive.
    if (!/^[a-z][a-z0-9+.-]+:/i.test(value)) return value;
    const url = /^file:\/{3}[^?#]*$/i.test(value) && URL.canParse(value) ? new URL(value) : null;
    const path = url === null ? null : decodedPath(url.pathname);
    if (path !== null) return path;
    context.addIssue({ code: 'custom', message: 'must be local folders, such as /data, separated by commas' });
    return z.NEVER;
  }),
);

/** A value that an HTTP header can contain. */
export const printable = z
  .string()
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be printable ASCII characters');
