import { QUOTED_KEYWORDS } from '@svc/core/sql-tokens';
import { joined, literal, type Sql, sql } from '../../sql-text.ts';
import { ARRAY_TEXTS } from './text-parts.ts';

const quotedKeywords = joined([...QUOTED_KEYWORDS].map(literal));

/** The engine distinguishes the types of numbers. */
const jsonType = sql`CASE json_type($1) WHEN 'VARCHAR' THEN 'string' WHEN 'BIGINT' THEN 'number' WHEN 'UBIGINT' THEN 'number'
  WHEN 'HUGEINT' THEN 'number' WHEN 'DOUBLE' THEN 'number' ELSE lower(json_type($1)) END`;

/** A null of JSON is a value. */
const elements = sql`list_transform(from_json($1, '["JSON"]'), lambda svc_e: coalesce(svc_e, CAST('null' AS JSON)))`;
const eachText = sql`SELECT svc_e.key AS key, json_extract_string(svc_e.value, '$') AS value
  FROM (SELECT unnest(map_entries(from_json($1, '"MAP(VARCHAR,JSON)"'))) AS svc_e)`;

/**
 * PostgreSQL's functions and operators in the engine's functions, by name and number of arguments. The guard checks the
 * result like any other expression.
 */
export const FUNCTIONS: Readonly<Record<string, Sql>> = {
  '~*/2': sql`regexp_matches($1, $2, 'is')`,
  '!~*/2': sql`NOT regexp_matches($1, $2, 'is')`,
  'array_length/2': sql`nullif(array_length($1, $2), 0)`,
  'array_lower/2': sql`CASE WHEN len($1) > 0 THEN 1 END`,
  'array_remove/2': sql`list_filter($1, lambda svc_e: svc_e IS DISTINCT FROM $2)`,
  'array_upper/2': sql`nullif(len($1), 0)`,
  'array_replace/3': sql`list_transform($1, lambda svc_e: CASE WHEN svc_e IS NOT DISTINCT FROM $2 THEN $3 ELSE svc_e END)`,
  'array_positions/2': sql`list_transform(list_filter(list_zip($1, range(1, len($1) + 1)), lambda svc_z: svc_z[1] IS NOT DISTINCT FROM $2), lambda svc_p: CAST(svc_p[2] AS INTEGER))`,
  ...ARRAY_TEXTS,
  'btrim/1': sql`trim($1)`,
  'btrim/2': sql`trim($1, $2)`,
  'cardinality/1': sql`len($1)`,
  'clock_timestamp/0': sql`now()`,
  'convert_from/2': sql`decode($1)`,
  'convert_to/2': sql`encode(CAST($1 AS VARCHAR))`,
  'date_bin/3': sql`time_bucket(CAST($1 AS INTERVAL), $2, $3)`,
  'date_trunc/3': sql`timezone($3, date_trunc($1, timezone($3, $2)))`,
  'div/2': sql`trunc($1 / $2)`,
  'every/1': sql`bool_and($1)`,
  'initcap/1': sql`array_to_string(list_transform(regexp_extract_all($1, '[\\pL\\pN]+|[^\\pL\\pN]+'), lambda svc_w: upper(svc_w[1]) || lower(svc_w[2:])), '')`,
  'json_array_length/1': sql`CAST(json_array_length($1) AS INTEGER)`,
  'jsonb_array_length/1': sql`CAST(json_array_length($1) AS INTEGER)`,
  'jsonb_extract_path_text/2': sql`json_extract_string($1, $2)`,
  'jsonb_object_agg/2': sql`json_group_object($1, $2)`,
  'jsonb_pretty/1': sql`json_pretty(CAST($1 AS JSON))`,
  'jsonb_typeof/1': jsonType,
  'json_object_agg/2': sql`json_group_object($1, $2)`,
  'json_typeof/1': jsonType,
  'lpad/2': sql`lpad($1, $2, ' ')`,
  'overlay/3': sql`left($1, $3 - 1) || $2 || substr($1, $3 + length($2))`,
  'overlay/4': sql`left($1, $3 - 1) || $2 || substr($1, $3 + $4)`,
  'octet_length/1': sql`CAST(length(hex($1)) // 2 AS INTEGER)`,
  'parse_ident/1': sql`list_transform(regexp_extract_all($1, '"(?:[^"]|"")+"|[^".\\s]+'), lambda svc_i: CASE WHEN svc_i[1] = '"' THEN replace(svc_i[2:-2], '""', '"') ELSE lower(svc_i) END)`,
  'quote_ident/1': sql`CASE WHEN regexp_full_match($1, '[a-z_][a-z0-9_]*') AND $1 NOT IN (${quotedKeywords}) THEN $1 ELSE '"' || replace($1, '"', '""') || '"' END`,
  'quote_literal/1': sql`'''' || replace(CAST($1 AS VARCHAR), '''', '''''') || ''''`,
  'quote_nullable/1': sql`coalesce('''' || replace(CAST($1 AS VARCHAR), '''', '''''') || '''', 'NULL')`,
  'regexp_count/2': sql`len(regexp_extract_all($1, $2, 0, 's'))`,
  'regexp_like/2': sql`regexp_matches($1, $2, 's')`,
  'regexp_like/3': sql`regexp_matches($1, $2, $3)`,
  'regexp_substr/2': sql`CASE WHEN regexp_matches($1, $2, 's') THEN regexp_extract($1, $2, 0, 's') END`,
  'rpad/2': sql`rpad($1, $2, ' ')`,
  'statement_timestamp/0': sql`now()`,
  'text/1': sql`CAST($1 AS VARCHAR)`,
  'to_hex/1': sql`lower(to_hex($1))`,
  'to_jsonb/1': sql`to_json($1)`,
  'width_bucket/4': sql`CASE WHEN $2 < $3
    THEN CASE WHEN $1 < $2 THEN 0 WHEN $1 >= $3 THEN $4 + 1 ELSE CAST(floor(($1 - $2) * $4 / ($3 - $2)) AS INTEGER) + 1 END
    ELSE CASE WHEN $1 > $2 THEN 0 WHEN $1 <= $3 THEN $4 + 1 ELSE CAST(floor(($2 - $1) * $4 / ($2 - $3)) AS INTEGER) + 1 END END`,
  // Set-returning functions.
  'generate_series/2': sql`unnest(generate_series($1, $2))`,
  'generate_series/3': sql`unnest(generate_series($1, $2, $3))`,
  'json_array_elements/1': sql`unnest(${elements})`,
  'jsonb_array_elements/1': sql`unnest(${elements})`,
  'json_object_keys/1': sql`unnest(json_keys($1))`,
  'jsonb_object_keys/1': sql`unnest(json_keys($1))`,
  'json_array_elements_text/1': sql`unnest(from_json($1, '["VARCHAR"]'))`,
  'jsonb_array_elements_text/1': sql`unnest(from_json($1, '["VARCHAR"]'))`,
  'string_to_table/2': sql`unnest(string_to_array($1, $2))`,
  '_pg_expandarray/1': sql`unnest(list_transform(list_zip($1, range(1, len($1) + 1)), lambda svc_z: {'x': svc_z[1], 'n': svc_z[2]}))`,
};

/** PostgreSQL's functions in FROM, as queries. */
export const TABLE_FUNCTIONS: Readonly<Record<string, Sql>> = {
  // Any function with one value. The names of columns can't be those of columns in its arguments.
  'value/1': sql`SELECT $1 AS svc_v`,
  'generate_series/2': sql`SELECT unnest(generate_series($1, $2)) AS svc_v`,
  'generate_series/3': sql`SELECT unnest(generate_series($1, $2, $3)) AS svc_v`,
  'generate_subscripts/2': sql`SELECT unnest(generate_series(1, len($1))) AS svc_v`,
  'json_array_elements/1': sql`SELECT unnest(${elements}) AS svc_v`,
  'jsonb_array_elements/1': sql`SELECT unnest(${elements}) AS svc_v`,
  'json_object_keys/1': sql`SELECT unnest(json_keys($1)) AS svc_v`,
  'jsonb_object_keys/1': sql`SELECT unnest(json_keys($1)) AS svc_v`,
  'json_array_elements_text/1': sql`SELECT unnest(from_json($1, '["VARCHAR"]')) AS svc_v`,
  'jsonb_array_elements_text/1': sql`SELECT unnest(from_json($1, '["VARCHAR"]')) AS svc_v`,
  'jsonb_each/1': sql`SELECT svc_e.key AS key, coalesce(svc_e.value, CAST('null' AS JSON)) AS value FROM (SELECT unnest(map_entries(from_json($1, '"MAP(VARCHAR,JSON)"'))) AS svc_e)`,
  'json_each_text/1': eachText,
  'jsonb_each_text/1': eachText,
  '_pg_expandarray/1': sql`SELECT svc_z[1] AS x, svc_z[2] AS n FROM (SELECT unnest(list_zip($1, range(1, len($1) + 1))) AS svc_z)`,
};
