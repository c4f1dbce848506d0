/** What a scan of SQL text distinguishes. Quoted identifiers arrive without their quotes. */
type Token = { readonly kind: 'word' | 'quoted' | 'sign'; readonly text: string };

const LEXEMES =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|[eE]'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'|"((?:[^"]|"")*)"|([A-Za-z_][\w$]*)|\d[\w.]*|(\S)/g;

function scan(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const match of sql.matchAll(LEXEMES)) {
    if (match[2] !== undefined) tokens.push({ kind: 'quoted', text: match[2].replaceAll('""', '"') });
    else if (match[3] !== undefined) tokens.push({ kind: 'word', text: match[3] });
    else if (match[4] !== undefined) tokens.push({ kind: 'sign', text: match[4] });
  }
  return tokens;
}

/** Whether anything but a comment stands behind a semicolon. */
function holdsMoreStatements(sql: string): boolean {
  const tokens = scan(sql);
  const end = tokens.findIndex(({ kind, text }) => kind === 'sign' && text === ';');
  return end >= 0 && tokens.slice(end).some(({ text }) => text !== ';');
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

/** Functions whose arguments use FROM as a word of their own. */
const FROM_FUNCTIONS = new Set(['extract', 'trim', 'ltrim', 'rtrim', 'btrim', 'substring', 'overlay', 'position']);
const ENDS_LIST = new Set([
  ...['where', 'group', 'having', 'order', 'limit', 'offset', 'union', 'intersect', 'except', 'window', 'qualify'],
  ...['select', 'on', 'using', 'sample', 'set', 'when', 'fetch'],
]);

interface Level {
  /** A table may stand next: behind FROM, JOIN, or a comma of the same list. */
  expects: boolean;
  inList: boolean;
  readonly ignoresFrom: boolean;
}

/**
 * The tables with a namespace that a SELECT reads, in order, each once: names behind FROM and JOIN. A scan of the words,
 * for the asset graph alone; what a query may read is decided by the engine's own parser.
 */
export function tablesRead(sql: string): string[] {
  const tokens = scan(sql);
  const found = new Map<string, string>();
  const levels: Level[] = [{ expects: false, inList: false, ignoresFrom: false }];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const level = levels.at(-1)!;
    if (token.kind === 'sign') {
      takeSign(token.text, tokens[i - 1], levels);
      continue;
    }
    const word = token.kind === 'word' ? token.text.toLowerCase() : null;
    if (word === 'from' && !level.ignoresFrom && tokens[i - 1]?.text.toLowerCase() !== 'distinct') {
      level.expects = true;
      level.inList = true;
    } else if (word === 'join') level.expects = true;
    else if (word !== null && ENDS_LIST.has(word)) {
      level.expects = false;
      level.inList = false;
    } else if (level.expects && word !== 'lateral' && word !== 'only') {
      level.expects = false;
      i = takeName(tokens, i, found);
    }
  }
  return [...found.values()];
}

function takeSign(sign: string, before: Token | undefined, levels: Level[]): void {
  const level = levels.at(-1)!;
  if (sign === '(') {
    const called = before?.kind === 'word' && FROM_FUNCTIONS.has(before.text.toLowerCase());
    // A parenthesis where a table may stand holds a join or a subquery: tables may stand in it too.
    levels.push({ expects: level.expects, inList: level.expects, ignoresFrom: called });
    level.expects = false;
  } else if (sign === ')') {
    if (levels.length > 1) levels.pop();
  } else if (sign === ',' && level.inList) level.expects = true;
}

/** Reads a dotted name that begins at a token; gives the index of its last token. A call, `f(…)`, is no table. */
function takeName(tokens: readonly Token[], start: number, found: Map<string, string>): number {
  const parts = [tokens[start]!.text];
  let i = start;
  while (tokens[i + 1]?.text === '.' && tokens[i + 2] !== undefined && tokens[i + 2]!.kind !== 'sign') {
    parts.push(tokens[i + 2]!.text);
    i += 2;
  }
  const name = parts.join('.');
  if (parts.length > 1 && tokens[i + 1]?.text !== '(' && !found.has(name.toLowerCase())) {
    found.set(name.toLowerCase(), name);
  }
  return i;
}
