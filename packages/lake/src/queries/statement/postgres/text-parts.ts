import { type Sql, sql } from '../../sql-text.ts';

/** Texts of values that PostgreSQL writes in another form than the engine. */
export const TEXT_PARTS: Readonly<Record<string, Sql>> = {
  // The engine writes `1.0`, and an exponent only from 17 digits on.
  'float_text/1': sql`replace(replace(regexp_replace(regexp_replace(regexp_replace(CAST($1 AS VARCHAR),
    '^(-?[0-9]{1,15})\\.0$', '\\1'), '^(-?[0-9])([0-9]{15})\\.([0-9]+)$', '\\1.\\2\\3e+15'), '\\.?0*e\\+15$', 'e+15'),
    'inf', 'Infinity'), 'nan', 'NaN')`,
  'interval_text/1': sql`regexp_replace(regexp_replace(replace(CAST($1 AS VARCHAR), 'month', 'mon'),
    '(-1 (?:year|mon|day))( |$)', '\\1s\\2', 'g'), '(-[0-9]+ [a-z]+) ([0-9])', '\\1 +\\2', 'g')`,
  // Functions that write values of any type write t and f.
  'flag/1': sql`left(CAST($1 AS VARCHAR), 1)`,
  'shown/1': sql`coalesce(CAST($1 AS VARCHAR), '')`,
  'list_text/1': sql`'{' || array_to_string(list_transform($1, lambda svc_e:
    list_transform([CASE typeof(svc_e) WHEN 'BOOLEAN' THEN left(CAST(svc_e AS VARCHAR), 1)
      WHEN 'DOUBLE' THEN regexp_replace(CAST(svc_e AS VARCHAR), '\\.0$', '') ELSE CAST(svc_e AS VARCHAR) END],
      lambda svc_t: CASE WHEN svc_t IS NULL THEN 'NULL'
        WHEN svc_t = '' OR upper(svc_t) = 'NULL' OR regexp_matches(svc_t, '[\\s,{}"\\\\]')
        THEN '"' || regexp_replace(svc_t, '(["\\\\])', '\\\\\\1', 'g') || '"' ELSE svc_t END)[1]), ',') || '}'`,
};
