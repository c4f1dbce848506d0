import { type Sql, sql } from '../../sql-text.ts';

/** The engine writes `1.0`, and an exponent only from 17 digits on. */
const floatText = (
  value: Sql,
): Sql => sql`replace(replace(regexp_replace(regexp_replace(regexp_replace(CAST(${value} AS VARCHAR),
    '^(-?[0-9]{1,15})\\.0$', '\\1'), '^(-?[0-9])([0-9]{15})\\.([0-9]+)$', '\\1.\\2\\3e+15'), '\\.?0*e\\+15$', 'e+15'),
    'inf', 'Infinity'), 'nan', 'NaN')`;

/** The text of an element `svc_e` of a list. */
const elementText = sql`CASE typeof(svc_e) WHEN 'BOOLEAN' THEN left(CAST(svc_e AS VARCHAR), 1)
  WHEN 'DOUBLE' THEN ${floatText(sql`svc_e`)} WHEN 'FLOAT' THEN ${floatText(sql`svc_e`)} ELSE CAST(svc_e AS VARCHAR) END`;

/** Without any text, the engine returns null. */
const joinedElements = (element: Sql): Sql => sql`list_transform([list_transform($1, lambda svc_e: ${element})],
  lambda svc_l: CASE WHEN svc_l IS NOT NULL THEN coalesce(array_to_string(svc_l, $2), '') END)[1]`;

/** Functions that join the elements of an array. */
export const ARRAY_TEXTS: Readonly<Record<string, Sql>> = {
  'array_to_string/2': joinedElements(elementText),
  'array_to_string/3': joinedElements(sql`coalesce(${elementText}, $3)`),
};

/** Texts of values that PostgreSQL writes in another form than the engine. */
export const TEXT_PARTS: Readonly<Record<string, Sql>> = {
  'float_text/1': floatText(sql`$1`),
  // Of the 6 digits that PostgreSQL writes before an exponent.
  'real_text/1': sql`list_transform([CAST($1 AS VARCHAR)], lambda svc_t:
    CASE WHEN regexp_matches(svc_t, '^-?[0-9]{7,}\\.') THEN regexp_replace(regexp_replace(svc_t,
        '^(-?[0-9])([0-9]+)\\.([0-9]+)$', '\\1.\\2\\3'), '\\.?0*$', '')
        || 'e+' || lpad(CAST(length(regexp_extract(svc_t, '^-?[0-9]([0-9]+)', 1)) AS VARCHAR), 2, '0')
      ELSE replace(replace(regexp_replace(svc_t, '\\.0$', ''), 'inf', 'Infinity'), 'nan', 'NaN') END)[1]`,
  'bytes_text/1': sql`'\\x' || lower(hex($1))`,
  'interval_text/1': sql`regexp_replace(regexp_replace(replace(CAST($1 AS VARCHAR), 'month', 'mon'),
    '(-1 (?:year|mon|day))( |$)', '\\1s\\2', 'g'), '(-[0-9]+ [a-z]+) ([0-9])', '\\1 +\\2', 'g')`,
  // Functions that write values of any type write t and f.
  'flag/1': sql`left(CAST($1 AS VARCHAR), 1)`,
  'shown/1': sql`coalesce(CAST($1 AS VARCHAR), '')`,
  'list_text/1': sql`'{' || array_to_string(list_transform($1, lambda svc_e:
    list_transform([${elementText}],
      lambda svc_t: CASE WHEN svc_t IS NULL THEN 'NULL'
        WHEN svc_t = '' OR upper(svc_t) = 'NULL' OR regexp_matches(svc_t, '[\\s,{}"\\\\]')
        THEN '"' || regexp_replace(svc_t, '(["\\\\])', '\\\\\\1', 'g') || '"' ELSE svc_t END)[1]), ',') || '}'`,
};
