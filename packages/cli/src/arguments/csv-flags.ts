import { boolean, string } from '@oclif/core/flags';
import type { CsvDialect, CsvOptions, LoadFormat } from '@svc/sdk';
import { usageError } from '../cli-error.ts';

/** How a CSV file is written. */
export const csvFlags = {
  delimiter: string({
    description: 'CSV: character between values, such as ; or \\t (default: detected)',
    helpValue: 'C',
  }),
  quote: string({ description: 'CSV: character around values, empty for none (default: detected)', helpValue: 'C' }),
  header: boolean({
    description: 'CSV: the first row has the names of the columns (default: detected)',
    allowNo: true,
  }),
  'null-text': string({ description: 'CSV: unquoted text that stands for null (default: empty)', helpValue: 'TEXT' }),
  'decimal-separator': string({
    description: 'CSV: decimal separator of numbers (default: .)',
    helpValue: 'C',
    options: ['.', ','],
  }),
  'date-format': string({
    description: 'CSV: format of dates, such as %d.%m.%Y (default: ISO 8601)',
    helpValue: 'FORMAT',
  }),
  'timestamp-format': string({
    description: 'CSV: format of timestamps, such as "%d.%m.%Y %H:%M" (default: ISO 8601)',
    helpValue: 'FORMAT',
  }),
  encoding: string({
    description: 'CSV: encoding of the file (default: utf-8, or utf-16 by its byte order mark)',
    options: ['utf-8', 'utf-16', 'latin-1', 'windows-1252'],
  }),
  detect: boolean({
    description: 'CSV: detect what is not set if the file is not as in RFC 4180 (default: on)',
    default: true,
    allowNo: true,
  }),
};

interface CsvFlags {
  delimiter?: string | undefined;
  quote?: string | undefined;
  header?: boolean | undefined;
  'null-text'?: string | undefined;
  'decimal-separator'?: string | undefined;
  'date-format'?: string | undefined;
  'timestamp-format'?: string | undefined;
  encoding?: string | undefined;
  detect: boolean;
}

/** A flag that is set, or null. */
export function firstCsvFlag(flags: CsvFlags): string | null {
  const { detect: _, ...others } = csvFlags;
  return Object.keys(others).find((name) => flags[name as keyof CsvFlags] !== undefined) ?? null;
}

/** The options of a load or an inference. @throws CliError if they are set for another format */
export function csvOptionsOf(flags: CsvFlags, format: LoadFormat): { csv?: CsvOptions } {
  const csv = {
    delimiter: flags.delimiter,
    quote: flags.quote,
    header: flags.header,
    null_text: flags['null-text'],
    decimal_separator: flags['decimal-separator'] as CsvDialect['decimal_separator'] | undefined,
    date_format: flags['date-format'],
    timestamp_format: flags['timestamp-format'],
    encoding: flags.encoding as CsvDialect['encoding'] | undefined,
  };
  const set = Object.entries(csv).filter(([, value]) => value !== undefined);
  if (format === 'csv') return { csv: Object.fromEntries([...set, ...(flags.detect ? [['detect', true]] : [])]) };
  const stray = firstCsvFlag(flags);
  if (stray !== null) throw usageError(`--${stray} is for CSV, but the file is ${format}.`);
  return {};
}

/** The options that read a file as this dialect. */
export const optionsOf = ({ date_format, timestamp_format, ...others }: CsvDialect): CsvOptions => ({
  ...others,
  ...(date_format === null ? {} : { date_format }),
  ...(timestamp_format === null ? {} : { timestamp_format }),
});

/** What was detected, or null if it is what the options and RFC 4180 say. */
export function detectedText(found: CsvDialect | null, set: CsvOptions = {}): string | null {
  if (found === null) return null;
  const { delimiter = ',', quote = '"', header = true, encoding = 'utf-8' } = set;
  const parts = [
    ...(found.delimiter === delimiter ? [] : [`delimiter ${JSON.stringify(found.delimiter)}`]),
    ...(found.quote === quote ? [] : [`quote ${found.quote}`]),
    ...(found.header === header ? [] : [found.header ? 'a header row' : 'no header row']),
    ...(found.encoding === encoding ? [] : [found.encoding]),
  ];
  return parts.length === 0 ? null : `Detected in the CSV file: ${parts.join(', ')}.`;
}
