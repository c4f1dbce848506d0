/** The five fields in written order (CRON-1). */
export const CRON_FIELDS = ['minute', 'hour', 'day of month', 'month', 'day of week'] as const;
export type CronFieldName = (typeof CRON_FIELDS)[number];

/** One parsed field: its values, and whether its text starts with `*`, which CRON-4 and CRON-7 depend on. */
export interface CronField {
  readonly star: boolean;
  /** Ascending, without duplicates; Sunday is 0. */
  readonly values: readonly number[];
  /** The same set indexed by value, so that a test needs no search. */
  readonly allows: readonly boolean[];
}

/** A parsed cron text (CRON-1 to CRON-4). */
export interface Cron {
  readonly text: string;
  readonly minute: CronField;
  readonly hour: CronField;
  readonly day: CronField;
  readonly month: CronField;
  readonly weekday: CronField;
}

/** Why a cron text is invalid: the field to change (null if it is the whole text) and what to write. */
export interface CronFailure {
  readonly field: CronFieldName | null;
  readonly message: string;
  readonly remedy: string;
}

export type CronResult =
  | { readonly ok: true; readonly cron: Cron }
  | { readonly ok: false; readonly problem: CronFailure };

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface FieldRule {
  readonly name: CronFieldName;
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const RULES: readonly FieldRule[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  // 7 is Sunday too, so a step such as 5/1 runs through to Sunday (CRON-2).
  { name: 'day of week', min: 0, max: 7, names: WEEKDAYS },
];

class CronSyntaxError extends Error {
  readonly problem: CronFailure;
  constructor(field: CronFieldName | null, message: string, remedy: string) {
    super(message);
    this.problem = { field, message, remedy };
  }
}

/**
 * Parses a five-field cron text or a macro such as `@daily` (CRON-1 to CRON-4). Never throws: an invalid text returns
 * the field and what to write instead.
 */
export function parseCron(text: string): CronResult {
  try {
    return { ok: true, cron: read(text.trim()) };
  } catch (error) {
    if (error instanceof CronSyntaxError) return { ok: false, problem: error.problem };
    throw error;
  }
}

function read(text: string): Cron {
  const written = text.startsWith('@') ? expandMacro(text) : text;
  const parts = written.split(/[ \t]+/);
  if (written === '' || parts.length !== 5) {
    const hint = parts.length === 6 ? 'there is no field for seconds: remove the first one' : 'write all five';
    const fields = written === '' ? 'no field' : parts.length === 1 ? '1 field' : `${parts.length} fields`;
    throw new CronSyntaxError(
      null,
      `the cron text ${JSON.stringify(text)} has ${fields}, not five`,
      `the fields are minute, hour, day of month, month, day of week; ${hint}`,
    );
  }
  const [minute, hour, day, month, weekday] = RULES.map((rule, i) => readField(rule, parts[i]!));
  return { text, minute: minute!, hour: hour!, day: day!, month: month!, weekday: weekday! };
}

function expandMacro(text: string): string {
  const expansion = MACROS[text.toLowerCase()];
  if (expansion !== undefined) return expansion;
  const why =
    text.toLowerCase() === '@reboot'
      ? 'schedules do not support @reboot; start the job manually or through the API'
      : `write one of ${Object.keys(MACROS).join(', ')}, or five fields`;
  throw new CronSyntaxError(null, `${JSON.stringify(text)} is not a known cron macro`, why);
}

function readField(rule: FieldRule, text: string): CronField {
  refuseForeignSigns(rule, text);
  const chosen = new Set<number>();
  for (const item of text.split(',')) {
    if (item === '') throw syntaxError(rule, text, 'has an empty item in its list', 'remove the extra comma');
    for (const value of readItem(rule, text, item)) chosen.add(rule.name === 'day of week' ? value % 7 : value);
  }
  const values = [...chosen].sort((a, b) => a - b);
  const allows = Array.from({ length: 60 }, (_, n) => chosen.has(n));
  return { star: text.startsWith('*'), values, allows };
}

function refuseForeignSigns(rule: FieldRule, text: string): void {
  if (text.includes('?')) throw syntaxError(rule, text, 'uses "?"', 'write "*" instead');
  if (text.includes('#'))
    throw syntaxError(rule, text, 'uses "#"', 'write the days of the month as a range, such as 8-14');
  if (/^(l|lw|l-\d+|\d+[lw])$/i.test(text)) {
    throw syntaxError(rule, text, 'uses "L" or "W"', 'write the day numbers themselves, such as 28 or 1-5');
  }
}

function readItem(rule: FieldRule, itemText: string, item: string): number[] {
  const [span, stepText, ...rest] = item.split('/');
  if (rest.length > 0 || span === '' || span === undefined) {
    throw syntaxError(rule, itemText, 'cannot be read', 'write a number, a range such as 1-5, or a step such as */15');
  }
  const step = stepText === undefined ? 1 : readStep(rule, itemText, stepText);
  const [from, to] = readSpan(rule, itemText, span, stepText !== undefined);
  const values: number[] = [];
  for (let value = from; value <= to; value += step) values.push(value);
  return values;
}

function readStep(rule: FieldRule, itemText: string, text: string): number {
  const step = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (step === 0) {
    throw syntaxError(
      rule,
      itemText,
      `has the step ${JSON.stringify(text)}`,
      'a step is a whole number from 1, such as */15',
    );
  }
  return step;
}

function readSpan(rule: FieldRule, itemText: string, span: string, hasStep: boolean): [number, number] {
  if (span === '*') return [rule.min, rule.max];
  const [first, last, ...rest] = span.split('-');
  if (first === undefined || rest.length > 0)
    throw syntaxError(rule, itemText, 'cannot be read', 'a range is written 1-5');
  const from = readValue(rule, itemText, first, false);
  // A step without an end runs to the end of the field (CRON-3).
  if (last === undefined) return [from, hasStep ? rule.max : from];
  const to = readValue(rule, itemText, last, true);
  if (from > to) {
    throw syntaxError(rule, itemText, `has the range ${span}, which runs backwards`, forwards(rule, from, last, first));
  }
  return [from, to];
}

/** A suggestion for a range that runs backwards. One that starts with Sunday as 7 can start with 0 instead. */
function forwards({ name, min, max }: FieldRule, from: number, last: string, first: string): string {
  if (name !== 'day of week') return `write it as two ranges: ${first}-${max},${min}-${last}`;
  return from === 7 ? `write it as 0-${last}` : `write it as two ranges: ${first}-6,0-${last}`;
}

function readValue(rule: FieldRule, itemText: string, text: string, endsRange: boolean): number {
  const nameIndex = rule.names.indexOf(text.toLowerCase());
  if (nameIndex >= 0) {
    if (rule.name === 'month') return nameIndex + 1;
    return nameIndex === 0 && endsRange ? 7 : nameIndex;
  }
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= rule.min && value <= rule.max) return value;
  const names = rule.names.length > 0 ? `, or a name from ${rule.names[0]} to ${rule.names.at(-1)}` : '';
  throw syntaxError(
    rule,
    itemText,
    `has the value ${JSON.stringify(text)}`,
    `it takes numbers from ${rule.min} to ${rule.max}${names}`,
  );
}

function syntaxError(rule: FieldRule, text: string, problem: string, remedy: string): CronSyntaxError {
  return new CronSyntaxError(rule.name, `the ${rule.name} field ${JSON.stringify(text)} ${problem}`, remedy);
}

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MONTH_NAMES = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/**
 * The field to change if a cron can never fire (CRON-5); otherwise null. That happens only if none of the chosen months
 * has the day of month and the weekday doesn't count (CRON-4).
 */
export function neverFires(cron: Cron): CronFailure | null {
  if (cron.day.star || !cron.weekday.star) return null;
  const longest = Math.max(...cron.month.values.map((month) => LONGEST_MONTHS[month - 1]!));
  const earliest = cron.day.values[0]!;
  if (earliest <= longest) return null;
  const months = cron.month.values.map((month) => MONTH_NAMES[month - 1]).join(', ');
  return {
    field: 'day of month',
    message: `the cron ${JSON.stringify(cron.text)} can never fire: the day of month field requires day ${earliest}, but ${months} ${cron.month.values.length === 1 ? 'has' : 'have'} at most ${longest} days`,
    remedy: `change the day of month field to ${longest} or less, or the month field`,
  };
}
