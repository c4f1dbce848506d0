import * as z from 'zod';

/** The encodings of CSV files. A byte order mark decides the byte order of UTF-16, which is little-endian without one. */
export const CSV_ENCODINGS = ['utf-8', 'utf-16', 'latin-1', 'windows-1252'] as const;

/** How a CSV file is written: what a load read it as. */
export const csvDialectSchema = z
  .object({
    delimiter: z.string(),
    /** Empty if values are not quoted. */
    quote: z.string(),
    header: z.boolean(),
    null_text: z.string(),
    decimal_separator: z.enum(['.', ',']),
    date_format: z.string().nullable(),
    timestamp_format: z.string().nullable(),
    encoding: z.enum(CSV_ENCODINGS),
  })
  .meta({ id: 'CsvDialect' });
export type CsvDialect = z.infer<typeof csvDialectSchema>;

/** CSV as TABLE-6 defines it. */
export const DEFAULT_DIALECT: CsvDialect = {
  delimiter: ',',
  quote: '"',
  header: true,
  null_text: '',
  decimal_separator: '.',
  date_format: null,
  timestamp_format: null,
  encoding: 'utf-8',
};

/** True or false, also as the text of a query parameter. */
const flag = z
  .union([
    z.boolean(),
    z
      .string()
      .regex(/^(?:true|false)$/i)
      .transform((text) => text.toLowerCase() === 'true'),
  ])
  .meta({ type: 'boolean', anyOf: undefined });

/** A character that no number, date or name consists of; `\t` is a tab. */
const separator = (message: string) =>
  z.preprocess((text) => (text === String.raw`\t` ? '\t' : text), z.string().regex(/^[\t -/:-@[-`{-~]$/, message));

const MAX_TEXT = 100;
const plain = z
  .string()
  .max(MAX_TEXT)
  .regex(/^[^\r\n"]*$/, 'must not contain quotes or line breaks');
const DIRECTIVES = /^(?:[^%]|%-?[YymdbBjaAHIpMSfz]|%%)*$/;

/** Whether a format names one day: other formats would be read as days of 1900. */
function namesDay(format: string): boolean {
  const found = new Set([...format.matchAll(/%-?(.)/g)].map(([, directive]) => directive));
  const has = (...directives: string[]) => directives.some((directive) => found.has(directive));
  return has('Y', 'y') && (has('j') || (has('d') && has('m', 'b', 'B')));
}

const timeFormat = z
  .string()
  .min(1)
  .max(MAX_TEXT)
  .refine((text) => DIRECTIVES.test(text), 'may only contain %Y %y %m %d %b %B %j %a %A %H %I %p %M %S %f %z and %%')
  .refine(namesDay, 'must contain a year (%Y), a month (%m) and a day (%d)');

/** What a request says about a CSV file; everything else is as TABLE-6 defines it, or detected. */
export const csvFields = {
  detect: flag.optional().meta({
    description: 'CSV: detect the delimiter, quote, header and encoding that are not set (default: false)',
  }),
  delimiter: separator('must be one character, such as ; or \\t')
    .optional()
    .meta({ description: 'CSV: character between values (default: a comma)' }),
  quote: z
    .union([z.literal(''), separator('must be one character, or empty if values are not quoted')])
    .optional()
    .meta({ description: 'CSV: character around values (default: "); empty if values are not quoted' }),
  header: flag
    .optional()
    .meta({ description: 'CSV: whether the first row has the names of the columns (default: true)' }),
  null_text: plain
    .optional()
    .meta({ description: 'CSV: unquoted text that stands for null (default: the empty text)' }),
  decimal_separator: z
    .enum(['.', ','])
    .optional()
    .meta({ description: 'CSV: decimal separator of numbers (default: a point)' }),
  date_format: timeFormat
    .optional()
    .meta({ description: 'CSV: format of dates, such as %d.%m.%Y (default: ISO 8601)' }),
  timestamp_format: timeFormat
    .optional()
    .meta({ description: 'CSV: format of timestamps, such as %d.%m.%Y %H:%M (default: ISO 8601)' }),
  encoding: z.enum(CSV_ENCODINGS).optional().meta({ description: 'CSV: encoding of the file (default: utf-8)' }),
};
const csvOptionsSchema = z.object(csvFields);
export type CsvOptions = Partial<Omit<CsvDialect, 'date_format' | 'timestamp_format'>> & {
  detect?: boolean | undefined;
  date_format?: string | undefined;
  timestamp_format?: string | undefined;
};

/** The CSV options among the fields of a request, or null if it has none. */
export function csvOptionsOf(fields: z.output<typeof csvOptionsSchema>): CsvOptions | null {
  const set = Object.keys(csvFields).flatMap((name) => {
    const value = fields[name as keyof typeof csvFields];
    return value === undefined ? [] : [[name, value]];
  });
  return set.length === 0 ? null : (Object.fromEntries(set) as CsvOptions);
}

/** The dialect that options name, without what is detected. */
export function dialectOf({ detect: _, ...set }: CsvOptions): CsvDialect {
  return { ...DEFAULT_DIALECT, ...(set as Partial<CsvDialect>) };
}

/** Options that can't go together: the field and what is wrong with it, or null. */
export function csvConflict(options: CsvOptions): { field: keyof CsvOptions; message: string } | null {
  const { delimiter, quote, null_text } = dialectOf(options);
  if (delimiter === quote) return { field: 'quote', message: 'must differ from the delimiter' };
  if (null_text.includes(delimiter)) return { field: 'null_text', message: 'must not contain the delimiter' };
  if (quote !== '' && null_text.includes(quote)) return { field: 'null_text', message: 'must not contain the quote' };
  return null;
}
