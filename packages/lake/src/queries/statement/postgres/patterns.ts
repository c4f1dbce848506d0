/** Classes of characters, in which PostgreSQL counts those of all scripts and the engine only those of ASCII. */
const LETTERS = String.raw`\pL\p{Nl}\p{Mc}`;
const SPACES = String.raw`\s\x0B\x{85}\pZ`;
const NAMED: Readonly<Record<string, string>> = {
  '[:alpha:]': LETTERS,
  '[:alnum:]': `${LETTERS}0-9`,
  '[:upper:]': String.raw`\p{Lu}`,
  '[:lower:]': String.raw`\p{Ll}`,
  '[:space:]': SPACES,
};
const SHORT: Readonly<Record<string, string>> = { w: `${LETTERS}0-9_`, s: SPACES };

const PARTS = /\\[\s\S]?|\[:[a-z]+:\]|\[\^?\]?|[\s\S]/g;

/** A constant regular expression whose classes contain the letters and spaces of all scripts. */
export function withUnicodeClasses(pattern: string): string {
  let isInBrackets = false;
  return pattern.replaceAll(PARTS, (part) => {
    if (part.startsWith('\\')) return shortClass(part, isInBrackets);
    if (isInBrackets && part.startsWith('[:')) return NAMED[part] ?? part;
    isInBrackets = isInBrackets ? !part.endsWith(']') : part.startsWith('[');
    return part;
  });
}

/** `\w` and `\W`, `\s` and `\S`. */
function shortClass(part: string, isInBrackets: boolean): string {
  const letter = part.slice(1);
  const members = SHORT[letter.toLowerCase()];
  const isNegated = letter !== letter.toLowerCase();
  if (members === undefined || (isInBrackets && isNegated)) return part;
  return isInBrackets ? members : `[${isNegated ? '^' : ''}${members}]`;
}

/** A constant replacement: `\&` is the whole match, and a backslash before anything but a digit or a backslash is one. */
export const replacement = (text: string): string =>
  text.replaceAll(/\\([1-9\\&])?/g, (_, next?: string) => (next === '&' ? '\\0' : `\\${next ?? '\\'}`));
