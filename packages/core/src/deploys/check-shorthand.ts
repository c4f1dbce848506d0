import * as z from 'zod';
import { isNamePart } from '../access/names.ts';
import { type AssetCheck, splitAssetName } from './asset.ts';
import { DURATION, parseDuration } from './durations.ts';

const columns = z
  .union([z.string(), z.array(z.string()).min(1)])
  .transform((names) => (typeof names === 'string' ? [names] : names));
const value = z.union([z.string(), z.number(), z.boolean()]);

/** The kinds of checks that need no SQL; each value describes the check. */
const SHORTHANDS = {
  unique: columns,
  not_null: columns,
  accepted_values: z.strictObject({ column: z.string(), values: z.array(value).min(1) }),
  relationships: z.strictObject({ column: z.string(), to: z.string(), field: z.string() }),
  row_count: z
    .strictObject({ min: z.int().min(0).optional(), max: z.int().min(0).optional() })
    .refine(({ min, max }) => min !== undefined || max !== undefined)
    .refine(({ min = 0, max = Number.POSITIVE_INFINITY }) => min <= max),
  freshness: z.strictObject({ column: z.string(), within: z.string().regex(DURATION) }),
} as const;

type Kind = keyof typeof SHORTHANDS;
export const CHECK_KINDS = Object.keys(SHORTHANDS) as Kind[];

const FORMS: Readonly<Record<Kind, string>> = {
  unique: 'unique: [column, …]',
  not_null: 'not_null: [column, …]',
  accepted_values: 'accepted_values: { column: status, values: [open, closed] }',
  relationships: 'relationships: { column: shop_id, to: core.shops, field: id }',
  row_count: 'row_count: { min: 1, max: 1000 }',
  freshness: 'freshness: { column: created_at, within: 2 days }',
};

export type CheckResult =
  | { readonly ok: true; readonly check: AssetCheck }
  | { readonly ok: false; readonly message: string; readonly remedy: string };

/** The kind of a check in shorthand, or null for one with SQL. */
export const kindOf = (check: object): Kind | null => CHECK_KINDS.find((kind) => kind in check) ?? null;

/**
 * The SELECT of a check in shorthand, such as `{ unique: ['id'] }`; its rows are those that fail the check.
 *
 * @param asset `<namespace>.<table>`, whose rows are checked
 */
export function expandCheck(raw: Readonly<Record<string, unknown>>, asset: string): CheckResult {
  const kind = kindOf(raw)!;
  const wrong = (message: string, remedy: string): CheckResult => ({ ok: false, message, remedy });
  const unknown = Object.keys(raw).find((key) => key !== kind && key !== 'name' && key !== 'severity');
  if (unknown !== undefined)
    return wrong(`a check has ${kind} and ${unknown}`, 'write each check as an item of its own');
  if (raw['name'] !== undefined && (typeof raw['name'] !== 'string' || raw['name'] === ''))
    return wrong(`the name of a check with ${kind} isn't a text`, 'write a text, or leave the name out');
  if (!isSeverity(raw['severity'])) return wrong('the severity of a check is error or warn', 'write severity: warn');
  const parsed = SHORTHANDS[kind].safeParse(raw[kind]);
  if (!parsed.success) return wrong(`the check ${kind} isn't valid`, `write it like ${FORMS[kind]}`);
  const rule = RULES[kind](parsed.data as never, quotedTable(asset));
  if (rule === null) return wrong('relationships must name a table', `write it like ${FORMS.relationships}`);
  const severity = raw['severity'] === 'warn' ? { severity: 'warn' as const } : {};
  return { ok: true, check: { name: (raw['name'] as string | undefined) ?? rule.name, sql: rule.sql, ...severity } };
}

export const isSeverity = (severity: unknown): boolean =>
  severity === undefined || severity === 'error' || severity === 'warn';

type Rule = { readonly name: string; readonly sql: string };
type Described<K extends Kind> = z.output<(typeof SHORTHANDS)[K]>;

const RULES: { readonly [K in Kind]: (of: Described<K>, table: string) => Rule | null } = {
  unique: (names, table) => {
    const list = names.map(quoted).join(', ');
    const known = names.map((name) => `${quoted(name)} IS NOT NULL`).join(' AND ');
    const sql = `SELECT ${list}, count(*) AS "rows" FROM ${table} WHERE ${known} GROUP BY ${list} HAVING count(*) > 1`;
    return { name: `unique(${names.join(', ')})`, sql };
  },
  not_null: (names, table) => {
    const missing = names.map((name) => `${quoted(name)} IS NULL`).join(' OR ');
    return { name: `not_null(${names.join(', ')})`, sql: `SELECT * FROM ${table} WHERE ${missing}` };
  },
  accepted_values: ({ column, values }, table) => {
    const list = values.map((item) => (typeof item === 'string' ? text(item) : String(item))).join(', ');
    const sql = `SELECT ${quoted(column)}, count(*) AS "rows" FROM ${table} WHERE ${quoted(column)} NOT IN (${list}) GROUP BY ${quoted(column)}`;
    return { name: `accepted_values(${column})`, sql };
  },
  relationships: ({ column, to, field }, table) => {
    if (splitAssetName(to) === null) return null;
    const parent = `SELECT 1 FROM ${quotedTable(to)} AS parent WHERE parent.${quoted(field)} = child.${quoted(column)}`;
    const sql = `SELECT child.${quoted(column)} FROM ${table} AS child WHERE child.${quoted(column)} IS NOT NULL AND NOT EXISTS (${parent})`;
    return { name: `relationships(${column})`, sql };
  },
  row_count: ({ min, max }, table) => {
    const limits = [
      min === undefined ? [] : [`count(*) < ${min}`],
      max === undefined ? [] : [`count(*) > ${max}`],
    ].flat();
    return { name: 'row_count', sql: `SELECT count(*) AS "rows" FROM ${table} HAVING ${limits.join(' OR ')}` };
  },
  freshness: ({ column, within }, table) => {
    const { count, unit } = parseDuration(within)!;
    const newest = `max(${quoted(column)})`;
    const limit = `now() - INTERVAL ${count} ${unit}`;
    const sql = `SELECT ${newest} AS newest FROM ${table} HAVING ${newest} IS NULL OR CAST(${newest} AS TIMESTAMPTZ) < ${limit}`;
    return { name: `freshness(${column})`, sql };
  },
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** The namespace is one name, because a name in SQL has at most three parts. */
function quotedTable(name: string): string {
  const at = name.lastIndexOf('.');
  const [namespace, table] = [name.slice(0, at), name.slice(at + 1)];
  return isNamePart(table) ? `${quoted(namespace)}.${quoted(table)}` : quoted(name);
}
