const FORMATS = { csv: 'csv', ndjson: 'ndjson', jsonl: 'ndjson', parquet: 'parquet' } as const;
type FileFormat = (typeof FORMATS)[keyof typeof FORMATS];

const COMPRESSED = /\.(?:gz|zst|zstd)$/i;

/** The name of a file without the extension of its compression. */
export const uncompressedName = (file: string): string => file.replace(COMPRESSED, '');

/** The format of a file by its extension, before that of its compression; undefined for other extensions. */
export function formatOfName(file: string): FileFormat | undefined {
  const extension = uncompressedName(file).toLowerCase().split('.').at(-1) ?? '';
  return Object.hasOwn(FORMATS, extension) ? FORMATS[extension as keyof typeof FORMATS] : undefined;
}

/** Bytes of a file from which the service infers its columns. */
const SAMPLE_BYTES = 8 * 1024 * 1024;

/** The bytes of a file that show its columns, from `start` to `end`: the end of Parquet, which has its footer. */
export const sampleRange = (size: number, format: FileFormat): { start: number; end: number } =>
  format === 'parquet'
    ? { start: Math.max(0, size - SAMPLE_BYTES), end: size }
    : { start: 0, end: Math.min(size, SAMPLE_BYTES) };

/** The whole lines of the sample of a file; everything if it is compressed, which the service uncompresses, or Parquet. */
export function wholeLines<T extends Uint8Array>(sample: T, size: number, format: FileFormat): T {
  if (format === 'parquet' || sample.length === size || isCompressed(sample)) return sample;
  return sample.subarray(0, endOfLines(sample)) as T;
}

const MAGIC = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
];
const isCompressed = (start: Uint8Array): boolean =>
  MAGIC.some((magic) => magic.every((byte, index) => start[index] === byte));

const LF = 10;

/** The end of the last whole line, also in UTF-16. */
function endOfLines(text: Uint8Array): number {
  for (let at = text.lastIndexOf(LF); at > 0; at = text.lastIndexOf(LF, at - 1)) {
    if (at % 2 === 0 && text[at + 1] === 0) return at + 2;
    if (text[at - 1] !== 0 || at % 2 === 1) return at + 1;
  }
  return text.length;
}
