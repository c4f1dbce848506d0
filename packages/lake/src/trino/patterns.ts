/** Plain characters, `.`, classes of letters and digits, `\d`, `\w`-free groups and simple repetition. */
const PART =
  /[A-Za-z0-9 _@:;,/='"<>#&!~-]|\.|\\[.\-/@]|\[\^?(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|[A-Za-z0-9_ ])+\]|\\d/y;
const REPEATED = /[*+?]|\{\d{1,3}(?:,\d{0,3})?\}/y;

/**
 * Converts a regular expression for Trino; null if RE2 and Trino's engine might interpret it differently. Anchors are
 * written so that they don't match before a final line break.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a parser with one branch for each syntax element
export function safePattern(pattern: string): string | null {
  let at = 0;
  let [out, depth] = ['', 0];
  const take = (part: RegExp): string | null => {
    part.lastIndex = at;
    const found = part.exec(pattern)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  while (at < pattern.length) {
    const char = pattern[at]!;
    if (char === '^' || char === '$' || char === '|') {
      out += { '^': '\\A', $: '\\z', '|': '|' }[char];
      at += 1;
      continue;
    }
    if (char === '(') {
      if (pattern[at + 1] === '?' && pattern.slice(at, at + 3) !== '(?:') return null;
      at += pattern[at + 1] === '?' ? 3 : 1;
      out += '(?:';
      depth += 1;
      continue;
    }
    if (char === ')') {
      depth -= 1;
      if (depth < 0) return null;
      at += 1;
      out += ')';
    } else {
      const part = take(PART);
      if (part === null) return null;
      out += part === '\\d' ? '[0-9]' : part === '.' ? '[^\\n]' : part;
    }
    const repeated = take(REPEATED);
    if (repeated !== null) out += repeated + (pattern[at] === '?' ? '?' : '');
    if (repeated !== null && pattern[at] === '?') at += 1;
  }
  return depth === 0 ? out : null;
}
