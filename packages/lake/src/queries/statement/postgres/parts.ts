import { type Sql, sql } from '../../sql-text.ts';
import { TEXT_PARTS } from './text-parts.ts';

/**
 * A number as text: $2 decimals, at most $3 and at least $4 digits before them, at least $5 of the decimals, the width $6,
 * the thousands separator $7, the decimal point $8, and $9 for a number with more digits.
 */
const numberText = sql`list_transform(
  list_transform([CAST(round(CAST($1 AS DECIMAL(38, 10)), $2) AS VARCHAR)], lambda svc_t: {
    'sign': CASE WHEN starts_with(svc_t, '-') THEN '-' ELSE '' END,
    'whole': CASE split_part(ltrim(svc_t, '-'), '.', 1) WHEN '0' THEN '' ELSE split_part(ltrim(svc_t, '-'), '.', 1) END,
    'part': rtrim(split_part(svc_t, '.', 2), '0')}),
  lambda svc_n: CASE WHEN length(svc_n.whole) > $3
    THEN CASE WHEN svc_n.sign = '' AND $6 > 0 THEN ' ' ELSE svc_n.sign END || $9 ELSE lpad(
    svc_n.sign
    || CASE WHEN svc_n.whole = '' AND $4 = 0 AND svc_n.part = '' AND $5 = 0 THEN '0'
      ELSE CASE WHEN $7 = '' THEN lpad(svc_n.whole, CAST(greatest($4, length(svc_n.whole)) AS INTEGER), '0')
        ELSE ltrim(reverse(regexp_replace(reverse(lpad(svc_n.whole, CAST(greatest($4, length(svc_n.whole)) AS INTEGER), '0')),
          '([0-9]{3})', '\\1,', 'g')), ',') END END
    || $8 || rpad(svc_n.part, CAST(greatest($5, length(svc_n.part)) AS INTEGER), '0'),
    CASE WHEN $6 = 0 THEN 70 ELSE $6 END, ' ') END)[1]`;

/**
 * Patterns of an array, of which any or all must match: unknown if that depends on a null. Each argument occurs once, because the
 * engine infers no type of a parameter that occurs more often.
 */
const results = (test: Sql): Sql => sql`list_transform($2, lambda svc_p: coalesce(2 * CAST(${test} AS INTEGER), 1))`;
const anyOf = (test: Sql): Sql => sql`CASE list_max([0] || ${results(test)}) WHEN 2 THEN true WHEN 0 THEN false END`;
const allOf = (test: Sql): Sql => sql`CASE list_min([2] || ${results(test)}) WHEN 2 THEN true WHEN 0 THEN false END`;

const PATTERN_TESTS: readonly (readonly [operator: string, test: Sql])[] = [
  ['like', sql`$1 LIKE svc_p ESCAPE '\\'`],
  ['ilike', sql`$1 ILIKE svc_p ESCAPE '\\'`],
  ['matches', sql`regexp_matches($1, svc_p, 's')`],
  ['imatches', sql`regexp_matches($1, svc_p, 'is')`],
];

const quantified = (): Record<string, Sql> =>
  Object.fromEntries(
    PATTERN_TESTS.flatMap(([operator, test]) => [
      [`${operator} any/2`, anyOf(test)],
      [`${operator} all/2`, allOf(test)],
      [`not ${operator} any/2`, anyOf(sql`NOT (${test})`)],
      [`not ${operator} all/2`, allOf(sql`NOT (${test})`)],
    ]),
  );

/** What rewrites are made of, by name and number of arguments. Functions that users call have nothing to do with these names. */
export const PARTS: Readonly<Record<string, Sql>> = {
  'number_text/9': numberText,
  'unpadded/1': sql`ltrim($1)`,
  'not/1': sql`NOT $1`,
  'concat/2': sql`$1 || $2`,
  'list/0': sql`list_value()`,
  'unnest/1': sql`unnest($1)`,
  'length/1': sql`len($1)`,
  'greatest/2': sql`greatest($1, $2)`,
  'positions/1': sql`unnest(range(1, $1 + 1))`,
  'in/2': sql`$1 IN ($2)`,
  'element/2': sql`array_contains($1, $2)`,
  // Unknown if the list has a null and no such element.
  'element_or_null/2': sql`len($1) > 0 AND (array_contains($1, $2) OR CASE WHEN list_count($1) = len($1) THEN false END)`,
  'matches/2': sql`regexp_matches($1, $2)`,
  'matches_lines/2': sql`regexp_matches($1, $2, 's')`,
  'full_match/2': sql`regexp_full_match($1, $2, 's')`,
  'path/2': sql`json_extract($1, $2)`,
  'pathText/2': sql`json_extract_string($1, $2)`,
  'like/2': sql`$1 LIKE $2 ESCAPE '\\'`,
  'not like/2': sql`$1 NOT LIKE $2 ESCAPE '\\'`,
  'ilike/2': sql`$1 ILIKE $2 ESCAPE '\\'`,
  'not ilike/2': sql`$1 NOT ILIKE $2 ESCAPE '\\'`,
  ...quantified(),
  ...TEXT_PARTS,
  // The first years of a century and a millennium are 2001 and 2001, not 2000.
  'trunc_from_1/2': sql`date_trunc($1, $2 - INTERVAL 1 YEAR) + INTERVAL 1 YEAR`,
  'number_or_null/1': sql`nullif($1, CAST('NaN' AS DOUBLE))`,
  'unhex/1': sql`unhex($1)`,
  'plus/2': sql`$1 + $2`,
  'interval_none/0': sql`INTERVAL 0 SECONDS`,
  'interval_years/1': sql`to_years(CAST($1 AS INTEGER))`,
  'interval_months/1': sql`to_months(CAST($1 AS INTEGER))`,
  'interval_weeks/1': sql`to_weeks(CAST($1 AS INTEGER))`,
  'interval_days/1': sql`to_days(CAST($1 AS INTEGER))`,
  'interval_hours/1': sql`to_hours(CAST($1 AS BIGINT))`,
  'interval_mins/1': sql`to_minutes(CAST($1 AS BIGINT))`,
  'interval_secs/1': sql`to_seconds(CAST($1 AS DOUBLE))`,
  // The keys of the right object replace those of the left one; anything else is joined as arrays.
  'json_concat/2': sql`CAST(list_transform([{'l': CAST($1 AS JSON), 'r': CAST($2 AS JSON)}], lambda svc_j:
    CASE WHEN svc_j.l IS NULL OR svc_j.r IS NULL THEN NULL
      WHEN json_type(svc_j.l) = 'OBJECT' AND json_type(svc_j.r) = 'OBJECT' THEN to_json(map_concat(
        from_json(svc_j.l, '"MAP(VARCHAR,JSON)"'), from_json(svc_j.r, '"MAP(VARCHAR,JSON)"')))
      ELSE to_json(list_concat(
        CASE WHEN json_type(svc_j.l) = 'ARRAY' THEN from_json(svc_j.l, '["JSON"]') ELSE [svc_j.l] END,
        CASE WHEN json_type(svc_j.r) = 'ARRAY' THEN from_json(svc_j.r, '["JSON"]') ELSE [svc_j.r] END)) END)[1] AS JSON)`,
  'json_without/2': sql`CAST(list_transform([CAST($1 AS JSON)], lambda svc_j: CASE json_type(svc_j)
    WHEN 'OBJECT' THEN to_json(map_from_entries(list_filter(map_entries(from_json(svc_j, '"MAP(VARCHAR,JSON)"')),
      lambda svc_e: svc_e.key <> $2)))
    WHEN 'ARRAY' THEN to_json(list_filter(from_json(svc_j, '["JSON"]'),
      lambda svc_e: json_type(svc_e) <> 'VARCHAR' OR json_extract_string(svc_e, '$') <> $2)) END)[1] AS JSON)`,
  'get/2': sql`json_extract($1, $2)`,
  'seconds/1': sql`CAST(date_part('microseconds', $1) AS DOUBLE) / 1000000`,
  'milliseconds/1': sql`CAST(date_part('microseconds', $1) AS DOUBLE) / 1000`,
  // Characters before the first one count.
  'substring_from/2': sql`CASE WHEN $2 < 1 THEN $1 ELSE substring($1, $2) END`,
  'substring_from/3': sql`CASE WHEN $2 < 1 THEN substring($1, 1, CASE WHEN $2 + $3 < 2 THEN 0 ELSE $2 + $3 - 1 END)
    ELSE substring($1, $2, $3) END`,
  'varchar/2': sql`left(CAST($1 AS VARCHAR), $2)`,
  'char/1': sql`rpad(left(CAST($1 AS VARCHAR), 1), 1, ' ')`,
  'char/2': sql`rpad(CAST($1 AS VARCHAR), $2, ' ')`,
  'upper/1': sql`upper($1)`,
  'lower/1': sql`lower($1)`,
  'strftime/2': sql`strftime($1, $2)`,
  'quarter/1': sql`CAST(quarter($1) AS VARCHAR)`,
  'weekday/1': sql`CAST(dayofweek($1) + 1 AS VARCHAR)`,
  'week/1': sql`lpad(CAST((dayofyear($1) - 1) // 7 + 1 AS VARCHAR), 2, '0')`,
  'padded/1': sql`rpad($1, 9, ' ')`,
  // An empty text has no elements.
  'split/2': sql`list_transform([CAST($1 AS VARCHAR)],
    lambda svc_t: CASE WHEN svc_t = '' THEN CAST([] AS VARCHAR[]) ELSE string_to_array(svc_t, $2) END)[1]`,
  'split_whole/1': sql`list_transform([CAST($1 AS VARCHAR)],
    lambda svc_t: CASE WHEN svc_t = '' THEN CAST([] AS VARCHAR[]) WHEN svc_t IS NOT NULL THEN [svc_t] END)[1]`,
  'nulls/2': sql`list_transform($1, lambda svc_e: nullif(svc_e, $2))`,
  'parse_timestamp/2': sql`timezone('UTC', strptime($1, $2))`,
  'parse_date/2': sql`CAST(strptime($1, $2) AS DATE)`,
  'decode_base64/1': sql`from_base64($1)`,
  'decode_hex/1': sql`unhex($1)`,
  'encode_base64/1': sql`to_base64($1)`,
  'encode_hex/1': sql`lower(hex($1))`,
  'substring_pattern/2': sql`CASE WHEN regexp_matches($1, $2, 's') THEN regexp_extract($1, $2, 0, 's') END`,
  'substring_group/2': sql`CASE WHEN regexp_matches($1, $2, 's') THEN regexp_extract($1, $2, 1, 's') END`,
};
