import { type Sql, sql } from '../../sql-text.ts';

/** The digits before the decimal point from which PostgreSQL writes an exponent. The engine writes one from 17 digits on. */
const floatText = (digits: Sql): Sql => sql`list_transform([CAST($1 AS VARCHAR)], lambda svc_t: CASE svc_t
  WHEN 'inf' THEN 'Infinity' WHEN '-inf' THEN '-Infinity' WHEN 'nan' THEN 'NaN'
  ELSE CASE WHEN regexp_matches(svc_t, ${digits})
    THEN regexp_replace(regexp_replace(svc_t, '^(-?[0-9])([0-9]*)\\.', '\\1.\\2'), '\\.?0*$', '')
      || 'e+' || lpad(CAST(length(ltrim(split_part(svc_t, '.', 1), '-')) - 1 AS VARCHAR), 2, '0')
    ELSE regexp_replace(svc_t, '\\.0$', '') END END)[1]`;
const doubleText = floatText(sql`'^-?[0-9]{16}\\.'`);
const realText = floatText(sql`'^-?[0-9]{7,}\\.'`);

const intervalText = sql`regexp_replace(regexp_replace(replace(CAST($1 AS VARCHAR), 'month', 'mon'),
  '(-1 (?:year|mon|day))( |$)', '\\1s\\2', 'g'), '(-[0-9]+ [a-z]+) ([0-9])', '\\1 +\\2', 'g')`;
const byType = sql`WHEN 'DOUBLE' THEN ${doubleText} WHEN 'FLOAT' THEN ${realText} WHEN 'INTERVAL' THEN ${intervalText}
  ELSE CAST($1 AS VARCHAR) END`;

/** Texts of values that PostgreSQL writes in another form than the engine. The engine evaluates `typeof` once for a statement. */
export const TEXT_PARTS: Readonly<Record<string, Sql>> = {
  'text_of/1': sql`CASE typeof($1) ${byType}`,
  // Functions that write values of any type write t and f.
  'written/1': sql`CASE typeof($1) WHEN 'BOOLEAN' THEN left(CAST($1 AS VARCHAR), 1) ${byType}`,
  'flag/1': sql`left(CAST($1 AS VARCHAR), 1)`,
  'shown/1': sql`coalesce(CAST($1 AS VARCHAR), '')`,
  'list_text/1': sql`'{' || array_to_string(list_transform($1, lambda svc_e:
    list_transform([CASE typeof(svc_e) WHEN 'BOOLEAN' THEN left(CAST(svc_e AS VARCHAR), 1)
      WHEN 'DOUBLE' THEN regexp_replace(CAST(svc_e AS VARCHAR), '\\.0$', '') ELSE CAST(svc_e AS VARCHAR) END],
      lambda svc_t: CASE WHEN svc_t IS NULL THEN 'NULL'
        WHEN svc_t = '' OR upper(svc_t) = 'NULL' OR regexp_matches(svc_t, '[\\s,{}"\\\\]')
        THEN '"' || regexp_replace(svc_t, '(["\\\\])', '\\\\\\1', 'g') || '"' ELSE svc_t END)[1]), ',') || '}'`,
};
