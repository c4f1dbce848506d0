/** Size of a part, unless there would be too many of them. */
const PART_BYTES = 64 * 1024 * 1024;
const MAX_PARTS = 2000;

/** The size of the parts of a file, which the last one may not reach. */
export function partBytes(size: number): number {
  return Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));
}

/** The number of parts of a file. */
export const partCount = ({ size, part_bytes }: { size: number; part_bytes: number }): number =>
  Math.ceil(size / part_bytes);

/** The size of the part with this number, counted from 1. */
export const sizeOfPart = ({ size, part_bytes }: { size: number; part_bytes: number }, number: number): number =>
  Math.min(part_bytes, size - (number - 1) * part_bytes);
