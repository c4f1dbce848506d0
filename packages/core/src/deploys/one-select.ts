/** Comments, strings and quoted names hold no statement's end; words and signs are captured. */
const LEXEMES =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|[eE]'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\d[\w.]*|([A-Za-z_][\w$]*|\S)/g;

/** Whether anything but a comment follows a semicolon. */
function holdsMoreStatements(sql: string): boolean {
  const tokens = Array.from(sql.matchAll(LEXEMES), (match) => match[2]).filter((token) => token !== undefined);
  const end = tokens.indexOf(';');
  return end >= 0 && tokens.slice(end).some((token) => token !== ';');
}

/** What keeps a text from being one SELECT, to be read behind the name of the text; null when nothing does. A scan of the words. */
export function notOneSelect(sql: string): string | null {
  const bare = sql.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/, '');
  if (bare === '') return 'is empty';
  if (/^(?:select|with|from|values|\()/i.test(bare)) {
    return holdsMoreStatements(bare) ? 'goes on behind a semicolon' : null;
  }
  return `starts with ${JSON.stringify(/^\S{1,40}/.exec(bare)?.[0] ?? '')}`;
}
