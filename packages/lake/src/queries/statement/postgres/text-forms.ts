import { ownValue } from '@svc/core/own-value';
import { type Token, tryTokenize } from '@svc/core/sql-tokens';
import { GuardError } from '../guard-error.ts';
import { marker } from './markers.ts';

type Edit = { readonly start: number; readonly end: number; readonly text: string };
type Rule = (tokens: readonly Token[], i: number) => Edit | null;

/**
 * Replaces the forms of PostgreSQL's syntax that the engine's parser rejects, or whose tree would lose their meaning, by
 * operators and type names that `rewriteTree` replaces. Text that the lexer can't read is returned unchanged, because the
 * parser reports its errors.
 *
 * @throws GuardError for a form that has no equivalent
 */
export function replaceTextForms(sql: string): string {
  return [QUALIFIED, FORMS].reduce(withEdits, sql);
}

function withEdits(sql: string, rules: readonly Rule[]): string {
  const read = tryTokenize(sql);
  if (read === null) return sql;
  const edits: Edit[] = [];
  for (let i = 0; i < read.tokens.length; i++) {
    const edit = rules.map((rule) => rule(read.tokens, i)).find((found) => found !== null);
    if (edit) edits.push(edit);
  }
  if (edits.length === 0) return sql;
  let [text, at] = ['', 0];
  for (const edit of edits) {
    if (edit.start < at) continue;
    text += read.text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + read.text.slice(at);
}

/** The replacement has the length of the replaced text if possible, so that positions in errors stay right. */
const replaced = (from: Token, to: Token, text: string): Edit => ({
  start: from.start,
  end: to.end,
  text: text.padEnd(to.end - from.start),
});

const isName = (token: Token | undefined): boolean => token?.kind === 'word' || token?.kind === 'quoted';

const nameOf = (token: Token): string => (token.kind === 'quoted' ? token.text.slice(1, -1) : token.text).toLowerCase();

const isQuotedText = (token: Token | undefined): boolean => token?.kind === 'literal' && token.text.endsWith("'");

/** Whether a type follows: after `::`, or after AS in a CAST. */
function isTypeAt(tokens: readonly Token[], i: number): boolean {
  if (tokens[i - 1]?.text === ':' && tokens[i - 2]?.text === ':') return true;
  if (tokens[i - 1]?.upper !== 'AS') return false;
  const { depth } = tokens[i]!;
  for (let at = i - 2; at > 0; at--) {
    const { text, depth: outer } = tokens[at]!;
    if (text === '(' && outer === depth - 1) return ['CAST', 'TRY_CAST'].includes(tokens[at - 1]!.upper);
  }
  return false;
}

/** `pg_catalog.` before a function or a type. Before a relation, it stays. */
const schemaOfName: Rule = (tokens, i) => {
  const [schema, dot, name, next] = tokens.slice(i, i + 4);
  if (!isName(schema) || nameOf(schema!) !== 'pg_catalog' || dot?.text !== '.' || !isName(name)) return null;
  const isCall = next?.text === '(';
  const isTyped = isQuotedText(next);
  return isCall || isTyped || isTypeAt(tokens, i) ? replaced(schema!, dot, '') : null;
};

/** `OPERATOR(pg_catalog.~)`. */
const operatorCall: Rule = (tokens, i) => {
  if (tokens[i]!.upper !== 'OPERATOR' || tokens[i + 1]?.text !== '(') return null;
  const end = tokens.findIndex((token, at) => at > i && token.text === ')');
  const dot = tokens.findIndex((token, at) => at > i && at < end && token.text === '.');
  const symbols = tokens.slice((dot === -1 ? i + 1 : dot) + 1, end);
  if (symbols.length === 0 || symbols.some(({ kind }) => kind !== 'symbol')) return null;
  return replaced(tokens[i]!, tokens[end]!, ` ${symbols.map(({ text }) => text).join('')} `);
};

const QUALIFIED: readonly Rule[] = [schemaOfName, operatorCall];

/** `SIMILAR TO` and `NOT SIMILAR TO`. */
const similarTo: Rule = (tokens, i) => {
  const isNot = tokens[i]!.upper === 'NOT';
  const first = isNot ? i + 1 : i;
  if (tokens[first]?.upper !== 'SIMILAR' || tokens[first + 1]?.upper !== 'TO') return null;
  return replaced(tokens[i]!, tokens[first + 1]!, ` ${marker({ operator: 'similar', isNot, of: null })} `);
};

/** `LIKE ANY (…)`, `NOT ILIKE ALL (…)`, `~ ANY (…)`. */
const patternOfMany: Rule = (tokens, i) => {
  const any = tokens[i]!;
  if (!['ANY', 'SOME', 'ALL'].includes(any.upper) || tokens[i + 1]?.text !== '(' || i === 0) return null;
  const of = any.upper === 'ALL' ? 'all' : 'any';
  const word = tokens[i - 1]!;
  if (word.upper === 'LIKE' || word.upper === 'ILIKE') {
    const isNot = tokens[i - 2]?.upper === 'NOT';
    const operator = word.upper === 'LIKE' ? 'like' : 'ilike';
    return replaced(isNot ? tokens[i - 2]! : word, any, ` ${marker({ operator, isNot, of })} `);
  }
  let first = i;
  while (first > 0 && /^[~!*]$/.test(tokens[first - 1]!.text)) first--;
  const symbols = tokens.slice(first, i).map(({ text }) => text);
  const operator = OPERATORS[symbols.join('').replace('!', '')];
  if (operator === undefined) return null;
  return replaced(tokens[first]!, any, ` ${marker({ operator, isNot: symbols[0] === '!', of })} `);
};

const OPERATORS: Readonly<Record<string, 'matches' | 'imatches' | 'like' | 'ilike'>> = {
  '~': 'matches',
  '~*': 'imatches',
  '~~': 'like',
  '~~*': 'ilike',
};

/** `#>` and `#>>` with a path. */
const jsonPath: Rule = (tokens, i) => {
  const [hash, first, second] = tokens.slice(i, i + 3);
  if (hash?.text !== '#' || first?.text !== '>' || first.start !== hash.end) return null;
  const isText = second?.text === '>' && second.start === first.end;
  return replaced(
    hash,
    isText ? second : first,
    marker({ operator: isText ? 'pathText' : 'path', isNot: false, of: null }),
  );
};

const LAMBDAS = /^(?:LIST|ARRAY)_|^(?:APPLY|FILTER|REDUCE|TRANSFORM)$/;

/** Whether the name or names before an arrow are the parameters of a lambda function. */
function isLambdaAt(tokens: readonly Token[], arrow: number): boolean {
  const { depth } = tokens[arrow]!;
  let first = arrow - 1;
  if (tokens[first]?.text === ')') {
    while (first > 0 && (tokens[first]!.text !== '(' || tokens[first]!.depth !== depth)) first--;
  } else if (tokens[first]?.kind !== 'word') return false;
  if (tokens[first - 1]?.text !== ',') return false;
  for (let at = arrow; at > 0; at--) {
    if (tokens[at]!.text === '(' && tokens[at]!.depth === depth - 1) return LAMBDAS.test(tokens[at - 1]!.upper);
  }
  return false;
}

/** `->` with a constant key or index, which the engine parses as a lambda function that ends after a comparison. */
const jsonElement: Rule = (tokens, i) => {
  const [minus, arrow, key, next] = tokens.slice(i, i + 4);
  if (minus?.text !== '-' || arrow?.text !== '>' || arrow.start !== minus.end || key === undefined) return null;
  const isKey = isQuotedText(key) || (key.kind === 'literal' && /^\d+$/.test(key.text));
  const isIndex = key.text === '-' && /^\d+$/.test(next?.text ?? '');
  if ((!isKey && !isIndex) || isLambdaAt(tokens, i)) return null;
  return replaced(minus, arrow, ` ${marker({ operator: 'get', isNot: false, of: null })} `);
};

const refused: Rule = (tokens, i) => {
  const [word, next] = [tokens[i]!, tokens[i + 1]?.upper ?? ''];
  if (word.upper === 'FOR' && ['UPDATE', 'SHARE', 'NO', 'KEY'].includes(next)) {
    const lock = next === 'NO' ? 'FOR NO KEY UPDATE' : next === 'KEY' ? 'FOR KEY SHARE' : `FOR ${next}`;
    const message = `${lock} isn't available: a query reads a snapshot of its tables and locks no rows. Remove it.`;
    throw new GuardError('not-supported', message, { query_location: word.start });
  }
  if (word.upper === 'BETWEEN' && next === 'SYMMETRIC') {
    const message = "BETWEEN SYMMETRIC isn't available. Write BETWEEN least(a, b) AND greatest(a, b).";
    throw new GuardError('not-supported', message, { query_location: word.start });
  }
  if (/^[BX]$/.test(word.upper) && isQuotedText(tokens[i + 1]) && tokens[i + 1]!.start === word.end) {
    const message = String.raw`Bit strings aren't available. Write bytes as '\x1f'::bytea, and numbers as 0x1f or 0b101.`;
    throw new GuardError('not-supported', message, { query_location: word.start });
  }
  if (word.upper === 'VARIADIC') {
    const message = "VARIADIC isn't available. Write each argument, or join the array with array_to_string.";
    throw new GuardError('not-supported', message, { query_location: word.start });
  }
  return null;
};

/** `0x1F`, which the engine reads as 0 with the name x1F. */
const numberOfBase: Rule = (tokens, i) => {
  const { kind, text } = tokens[i]!;
  if (kind !== 'literal' || !/^0(?:x[0-9a-f]+|o[0-7]+|b[01]+)$/i.test(text.replaceAll('_', ''))) return null;
  return replaced(tokens[i]!, tokens[i]!, String(BigInt(text.replaceAll('_', '').toLowerCase())));
};

/** Types whose length or missing length the parser drops, such as `varchar(3)` and `numeric`, and `float`, which has 8 bytes. */
const typeForm: Rule = (tokens, i) => {
  const [word, next] = [tokens[i]!, tokens[i + 1]];
  if (word.kind !== 'word') return null;
  const isTyped = word.upper === 'FLOAT' && isQuotedText(next);
  return isTyped || isTypeAt(tokens, i)
    ? (ownValue(OWN_TYPES, word.upper)?.(tokens, i, next?.text ?? '') ?? null)
    : null;
};

type TypeRule = (tokens: readonly Token[], i: number, next: string) => Edit | null;

const withoutLength =
  (type: string): TypeRule =>
  (tokens, i, next) =>
    next === '(' ? null : replaced(tokens[i]!, tokens[i]!, type);

/** Without a length, it has one character. */
const character: TypeRule = (tokens, i, next) => {
  if (next.toUpperCase() === 'VARYING') {
    return tokens[i + 2]?.text === '(' ? replaced(tokens[i]!, tokens[i + 1]!, 'svc_vch') : null;
  }
  return next === '[' ? null : replaced(tokens[i]!, tokens[i]!, 'svch');
};

const OWN_TYPES: Readonly<Record<string, TypeRule>> = {
  NUMERIC: withoutLength('svc_num'),
  DECIMAL: withoutLength('svc_num'),
  FLOAT: withoutLength('svc_f'),
  TIMESTAMP: (tokens, i, next) =>
    next === '(' && tokens[i + 4]?.upper === 'WITH' ? replaced(tokens[i + 1]!, tokens[i + 3]!, '') : null,
  TIMESTAMPTZ: (tokens, i, next) => (next === '(' ? replaced(tokens[i + 1]!, tokens[i + 3]!, '') : null),
  VARCHAR: (tokens, i, next) => (next === '(' ? replaced(tokens[i]!, tokens[i]!, 'svc_vch') : null),
  CHARACTER: character,
  CHAR: character,
};

/** `~` parses as a call of this function, but a call of it must keep its meaning. */
const fullMatch: Rule = (tokens, i) =>
  tokens[i]!.upper === 'REGEXP_FULL_MATCH' && tokens[i + 1]?.text === '('
    ? replaced(tokens[i]!, tokens[i]!, 'svc_full_match')
    : null;

const FORMS: readonly Rule[] = [
  refused,
  numberOfBase,
  similarTo,
  patternOfMany,
  jsonPath,
  jsonElement,
  typeForm,
  fullMatch,
];
