import { type Sql, sql } from '../../sql-text.ts';

/**
 * PostgreSQL's functions and operators in the engine's functions, by name and number of arguments. The guard checks the
 * result like any other expression.
 */
/**
 * A number as text: $2 decimals, at most $3 and at least $4 digits before them, at least $5 of the decimals, the width $6,
 * the thousands separator $7 and the decimal point $8.
 */
const numberText = sql`list_transform(
  list_transform([CAST(round(CAST($1 AS DECIMAL(38, 10)), $2) AS VARCHAR)], lambda svc_t: {
    'sign': CASE WHEN starts_with(svc_t, '-') THEN '-' ELSE '' END,
    'whole': CASE split_part(ltrim(svc_t, '-'), '.', 1) WHEN '0' THEN '' ELSE split_part(ltrim(svc_t, '-'), '.', 1) END,
    'part': rtrim(split_part(svc_t, '.', 2), '0')}),
  lambda svc_n: CASE WHEN length(svc_n.whole) > $3 THEN repeat('#', greatest($6, $3)) ELSE lpad(
    svc_n.sign
    || CASE WHEN svc_n.whole = '' AND $4 = 0 AND svc_n.part = '' AND $5 = 0 THEN '0'
      ELSE CASE WHEN $7 = '' THEN lpad(svc_n.whole, CAST(greatest($4, length(svc_n.whole)) AS INTEGER), '0')
        ELSE ltrim(reverse(regexp_replace(reverse(lpad(svc_n.whole, CAST(greatest($4, length(svc_n.whole)) AS INTEGER), '0')),
          '([0-9]{3})', '\\1,', 'g')), ',') END END
    || $8 || rpad(svc_n.part, CAST(greatest($5, length(svc_n.part)) AS INTEGER), '0'),
    CASE WHEN $6 = 0 THEN 70 ELSE $6 END, ' ') END)[1]`;

export const FUNCTIONS: Readonly<Record<string, Sql>> = {
  '~*/2': sql`regexp_matches($1, $2, 'i')`,
  '!~*/2': sql`NOT regexp_matches($1, $2, 'i')`,
  'array_lower/2': sql`CASE WHEN len($1) > 0 THEN 1 END`,
  'array_remove/2': sql`list_filter($1, lambda svc_e: svc_e IS DISTINCT FROM $2)`,
  'array_upper/2': sql`nullif(len($1), 0)`,
  'btrim/1': sql`trim($1)`,
  'btrim/2': sql`trim($1, $2)`,
  'cardinality/1': sql`len($1)`,
  'clock_timestamp/0': sql`now()`,
  'date_bin/3': sql`time_bucket(CAST($1 AS INTERVAL), $2, $3)`,
  'date_trunc/3': sql`timezone($3, date_trunc($1, timezone($3, $2)))`,
  'decode_base64/1': sql`from_base64($1)`,
  'decode_hex/1': sql`unhex($1)`,
  'div/2': sql`trunc($1 / $2)`,
  'encode_base64/1': sql`to_base64($1)`,
  'encode_hex/1': sql`lower(hex($1))`,
  'every/1': sql`bool_and($1)`,
  'initcap/1': sql`array_to_string(list_transform(regexp_extract_all($1, '[\\pL\\pN]+|[^\\pL\\pN]+'), lambda svc_w: upper(svc_w[1]) || lower(svc_w[2:])), '')`,
  'json_array_length/1': sql`CAST(json_array_length($1) AS INTEGER)`,
  'jsonb_array_length/1': sql`CAST(json_array_length($1) AS INTEGER)`,
  'jsonb_extract_path_text/2': sql`json_extract_string($1, $2)`,
  'jsonb_object_agg/2': sql`json_group_object($1, $2)`,
  'jsonb_pretty/1': sql`json_pretty(CAST($1 AS JSON))`,
  'jsonb_typeof/1': sql`lower(json_type($1))`,
  'json_object_agg/2': sql`json_group_object($1, $2)`,
  'json_typeof/1': sql`lower(json_type($1))`,
  'lower_type/1': sql`lower($1)`,
  'overlay/3': sql`left($1, $3 - 1) || $2 || substr($1, $3 + length($2))`,
  'overlay/4': sql`left($1, $3 - 1) || $2 || substr($1, $3 + $4)`,
  'quote_ident/1': sql`CASE WHEN regexp_full_match($1, '[a-z_][a-z0-9_$]*') THEN $1 ELSE '"' || replace($1, '"', '""') || '"' END`,
  'quote_literal/1': sql`'''' || replace(CAST($1 AS VARCHAR), '''', '''''') || ''''`,
  'quote_nullable/1': sql`coalesce('''' || replace(CAST($1 AS VARCHAR), '''', '''''') || '''', 'NULL')`,
  'statement_timestamp/0': sql`now()`,
  'substring_pattern/2': sql`CASE WHEN regexp_matches($1, $2) THEN regexp_extract($1, $2, 0) END`,
  'substring_group/2': sql`CASE WHEN regexp_matches($1, $2) THEN regexp_extract($1, $2, 1) END`,
  'timezone_now/0': sql`now()`,
  'to_jsonb/1': sql`to_json($1)`,
  // Set-returning functions.
  'generate_series/2': sql`unnest(generate_series($1, $2))`,
  'generate_series/3': sql`unnest(generate_series($1, $2, $3))`,
  'json_array_elements/1': sql`unnest(from_json($1, '["JSON"]'))`,
  'jsonb_array_elements/1': sql`unnest(from_json($1, '["JSON"]'))`,
  'json_array_elements_text/1': sql`unnest(from_json($1, '["VARCHAR"]'))`,
  'jsonb_array_elements_text/1': sql`unnest(from_json($1, '["VARCHAR"]'))`,
  '_pg_expandarray/1': sql`unnest(list_transform(list_zip($1, range(1, len($1) + 1)), lambda svc_z: {'x': svc_z[1], 'n': svc_z[2]}))`,
  // Parts of other forms.
  'number_text/8': numberText,
  'unpadded/1': sql`ltrim($1)`,
  'not/1': sql`NOT $1`,
  'concat/2': sql`$1 || $2`,
  'list/0': sql`list_value()`,
  'in/2': sql`$1 IN ($2)`,
  'element/2': sql`array_contains($1, $2)`,
  'matches/2': sql`regexp_matches($1, $2)`,
  'full_match/2': sql`regexp_full_match($1, $2)`,
  'path/2': sql`json_extract($1, $2)`,
  'pathText/2': sql`json_extract_string($1, $2)`,
  'like any/2': sql`list_bool_or(list_transform($2, lambda svc_p: $1 LIKE svc_p))`,
  'like all/2': sql`list_bool_and(list_transform($2, lambda svc_p: $1 LIKE svc_p))`,
  'ilike any/2': sql`list_bool_or(list_transform($2, lambda svc_p: $1 ILIKE svc_p))`,
  'ilike all/2': sql`list_bool_and(list_transform($2, lambda svc_p: $1 ILIKE svc_p))`,
  'matches any/2': sql`list_bool_or(list_transform($2, lambda svc_p: regexp_matches($1, svc_p)))`,
  'matches all/2': sql`list_bool_and(list_transform($2, lambda svc_p: regexp_matches($1, svc_p)))`,
  'imatches any/2': sql`list_bool_or(list_transform($2, lambda svc_p: regexp_matches($1, svc_p, 'i')))`,
  'imatches all/2': sql`list_bool_and(list_transform($2, lambda svc_p: regexp_matches($1, svc_p, 'i')))`,
  'not like any/2': sql`list_bool_or(list_transform($2, lambda svc_p: NOT ($1 LIKE svc_p)))`,
  'not like all/2': sql`list_bool_and(list_transform($2, lambda svc_p: NOT ($1 LIKE svc_p)))`,
  'not ilike any/2': sql`list_bool_or(list_transform($2, lambda svc_p: NOT ($1 ILIKE svc_p)))`,
  'not ilike all/2': sql`list_bool_and(list_transform($2, lambda svc_p: NOT ($1 ILIKE svc_p)))`,
  'not matches any/2': sql`list_bool_or(list_transform($2, lambda svc_p: NOT regexp_matches($1, svc_p)))`,
  'not matches all/2': sql`list_bool_and(list_transform($2, lambda svc_p: NOT regexp_matches($1, svc_p)))`,
  'not imatches any/2': sql`list_bool_or(list_transform($2, lambda svc_p: NOT regexp_matches($1, svc_p, 'i')))`,
  'not imatches all/2': sql`list_bool_and(list_transform($2, lambda svc_p: NOT regexp_matches($1, svc_p, 'i')))`,
  'varchar/2': sql`left(CAST($1 AS VARCHAR), $2)`,
  'char/2': sql`rpad(CAST($1 AS VARCHAR), $2, ' ')`,
  'numeric/1': sql`CAST($1 AS DECIMAL(38, 10))`,
  'text/1': sql`CAST($1 AS VARCHAR)`,
  'upper/1': sql`upper($1)`,
  'lower/1': sql`lower($1)`,
  'strftime/2': sql`strftime($1, $2)`,
  'quarter/1': sql`CAST(quarter($1) AS VARCHAR)`,
  'weekday/1': sql`CAST(dayofweek($1) + 1 AS VARCHAR)`,
  'week/1': sql`lpad(CAST((dayofyear($1) - 1) // 7 + 1 AS VARCHAR), 2, '0')`,
  'padded/1': sql`rpad($1, 9, ' ')`,
  'parse_timestamp/2': sql`timezone('UTC', strptime($1, $2))`,
  'parse_date/2': sql`CAST(strptime($1, $2) AS DATE)`,
};

/** PostgreSQL's functions in FROM, as queries. */
export const TABLE_FUNCTIONS: Readonly<Record<string, Sql>> = {
  'generate_series/2': sql`SELECT unnest(generate_series($1, $2)) AS generate_series`,
  'generate_series/3': sql`SELECT unnest(generate_series($1, $2, $3)) AS generate_series`,
  'generate_subscripts/2': sql`SELECT unnest(generate_series(1, len($1))) AS generate_subscripts`,
  'json_array_elements/1': sql`SELECT unnest(from_json($1, '["JSON"]')) AS value`,
  'jsonb_array_elements/1': sql`SELECT unnest(from_json($1, '["JSON"]')) AS value`,
  'json_array_elements_text/1': sql`SELECT unnest(from_json($1, '["VARCHAR"]')) AS value`,
  'jsonb_array_elements_text/1': sql`SELECT unnest(from_json($1, '["VARCHAR"]')) AS value`,
  '_pg_expandarray/1': sql`SELECT svc_z[1] AS x, svc_z[2] AS n FROM (SELECT unnest(list_zip($1, range(1, len($1) + 1))) AS svc_z)`,
};
