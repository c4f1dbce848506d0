/**
 * Comments, strings and quoted names, in which a semicolon doesn't end the statement; words and punctuation are
 * captured.
 */
const LEXEMES =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|[eE]'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\d[\w.]*|([A-Za-z_][\w$]*|\S)/g;

/** Whether anything except comments follows a semicolon. */
function hasMoreStatements(sql: string): boolean {
  const tokens = Array.from(sql.matchAll(LEXEMES), (match) => match[2]).filter((token) => token !== undefined);
  const end = tokens.indexOf(';');
  return end >= 0 && tokens.slice(end).some((token) => token !== ';');
}

/**
 * Why a text isn't a single SELECT, as a phrase that follows the name of the text; null if it is one. A lexical scan,
 * not a parser.
 */
export function selectError(sql: string): string | null {
  const bare = sql.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/, '');
  if (bare === '') return 'is empty';
  if (/^(?:select|with|from|values|\()/i.test(bare)) {
    return hasMoreStatements(bare) ? 'has another statement after a semicolon' : null;
  }
  return `starts with ${JSON.stringify(/^\S{1,40}/.exec(bare)?.[0] ?? '')}`;
}
