/** A piece of Trino's SQL as its lexer sees it. */
type Token = { readonly kind: 'text' | 'name' | 'word' | 'number' | 'symbol'; readonly text: string };

const TOKEN =
  /(?<space>[ \n]+)|(?<text>(?:U&|X)?'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*")|(?<word>[A-Za-z_][A-Za-z0-9_]*)|(?<number>\d+)|(?<symbol><>|<=|>=|=>|->|\|\||[-+*/%(),.[\]=<>?])/gy;

/** Keywords, functions and types that the printer writes; none of them comes from a statement. */
const KEYWORDS = new Set(
  [
    'SELECT DISTINCT FROM WHERE GROUP BY GROUPING SETS ORDER ASC DESC NULLS FIRST LAST LIMIT OFFSET WITH AS VALUES UNION ALL',
    'EXCEPT INTERSECT INNER LEFT RIGHT FULL CROSS JOIN ON EXISTS IN ANY AND OR NOT IS NULL CASE WHEN THEN ELSE END BETWEEN',
    'FOR VERSION OF CAST TRY_CAST LIKE ESCAPE OVER PARTITION RANGE ROWS UNBOUNDED PRECEDING FOLLOWING CURRENT ROW FILTER',
    'UNNEST ARRAY MAP DATE TIME TIMESTAMP BIGINT INTEGER SMALLINT TINYINT DECIMAL DOUBLE true false varchar bigint integer',
    'boolean double decimal date time timestamp with zone coalesce concat length substr max min count sum bool_or count_if',
    'row_number sequence array_agg any_value',
  ]
    .join(' ')
    .split(' '),
);

/** Relations and columns that the printer names. */
const GENERATED = /^(?:[tlrgmun]|[cogkvx]\d+)$/;
/** A part of the statement itself. */
const PART = /^x\d+$/;

/**
 * Names in a statement for Trino other than these: tables of `allowed` (`"catalog"."schema"."table"`), its own parts,
 * columns of those names, and keywords that the printer writes. Empty if there are no others.
 */
export function foreignParts(sql: string, allowed: ReadonlySet<string>, columns: ReadonlySet<string>): string[] {
  const tokens = tokensOf(sql);
  if (tokens === null) return [`an unknown token in ${sql}`];
  const foreign: string[] = [];
  const defined = new Set<string>();
  const at = (i: number) => tokens[i]?.text ?? '';
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    const named = ['WITH', ','].includes(at(i - 1)) && at(i + 1) === 'AS' && at(i + 2) === '(';
    if (kind === 'word' && PART.test(text) && named) defined.add(text);
    else if (kind === 'word' && PART.test(text) && !defined.has(text)) foreign.push(`the part ${text}`);
    else if (kind === 'word' && !KEYWORDS.has(text) && !GENERATED.test(text)) foreign.push(`the word ${text}`);
    const reads = text === 'JOIN' || (text === 'FROM' && at(i - 1) !== 'DISTINCT');
    if (kind === 'word' && reads && !isRelation(tokens, i + 1)) foreign.push(`reading ${at(i + 1)}`);
    if (kind !== 'name') continue;
    const table = at(i + 1) === '.' ? [0, 1, 2, 3, 4].map((n) => at(i + n)).join('') : null;
    if (table === null && !columns.has(text)) foreign.push(`the name ${text}`);
    if (table === null) continue;
    if (!allowed.has(table) || at(i - 1) !== 'FROM' || at(i + 5) !== 'FOR') foreign.push(`the table ${table}`);
    i += 4;
  }
  return foreign;
}

/** A subquery, a table by its three names, a part of the statement, or elements of a list. */
function isRelation(tokens: readonly Token[], at: number): boolean {
  const { kind, text } = tokens[at] ?? { kind: 'symbol', text: '' };
  return kind === 'name' || text === '(' || text === 'UNNEST' || (kind === 'word' && PART.test(text));
}

function tokensOf(sql: string): Token[] | null {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < sql.length) {
    const found = TOKEN.exec(sql);
    if (found === null) return null;
    const [kind, text] = Object.entries(found.groups!).find(([, value]) => value !== undefined)!;
    if (kind !== 'space') tokens.push({ kind: kind as Token['kind'], text: text! });
  }
  return tokens;
}
