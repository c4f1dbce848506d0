import * as z from 'zod';

export const bytes = (byDefault: string) =>
  z
    .string()
    .default(byDefault)
    .refine((value) => SIZE.test(value), 'must be a size such as 2GB');

/** A size in bytes; null if unset. */
export const limitBytes = z
  .string()
  .optional()
  .refine((value) => value === undefined || SIZE.test(value), 'must be a size such as 100GB')
  .transform((value) => (value === undefined ? null : parseBytes(value)));

/** A size in bytes; null for `none`. */
export const bytesOrNone = (byDefault: string) =>
  z
    .string()
    .default(byDefault)
    .refine((value) => value === 'none' || SIZE.test(value), 'must be a size such as 4GB, or none')
    .transform((value) => (value === 'none' ? null : parseBytes(value)));

const SIZE = /^\d+(\.\d+)?\s*(KB|MB|GB|TB|KiB|MiB|GiB|TiB)$/i;

const UNITS = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30, TIB: 2 ** 40 } as const;

/** A size such as `2GB` or `512MiB` in bytes. */
export function parseBytes(size: string): number {
  const [, number, unit] = /^([\d.]+)\s*([A-Za-z]+)$/.exec(size)!;
  return Math.floor(Number(number) * UNITS[unit!.toUpperCase() as keyof typeof UNITS]);
}
