import { isSafeNumber } from 'lossless-json';

/** Marks integers that a number can't represent. Random, so that no document can contain it. */
const MARK = `${crypto.randomUUID()}:`;
/** The fewest digits of such an integer. */
const DIGITS = 16;
const LARGE = /-?\d{16,}/g;

/**
 * Parses JSON without losing 64-bit integers: a number if exact, otherwise a bigint. JSON.parse does the work, on a text in which
 * the large integers are strings: a parser in JavaScript takes thirty bytes of memory for each character of a string.
 *
 * @throws SyntaxError
 */
export function parseLossless(text: string): unknown {
  const marked = markLargeIntegers(text);
  return marked === null ? JSON.parse(text) : unmarked(JSON.parse(marked));
}

/** Returns null if the text has no large integer. */
function markLargeIntegers(text: string): string | null {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    if (end - at >= DIGITS) {
      for (const { 0: digits, index } of text.slice(at, end).matchAll(LARGE)) {
        const start = at + index;
        if (!isInteger(text, start, digits)) continue;
        parts.push(text.slice(copied, start), `"${MARK}${digits}"`);
        copied = start + digits.length;
      }
    }
    at = quote === -1 ? end : endOfString(text, quote + 1) + 1;
  }
  if (copied === 0) return null;
  parts.push(text.slice(copied));
  return parts.join('');
}

/** Whether these digits are a number of their own, and not exact as a number. JSON.parse rejects what isn't JSON. */
function isInteger(text: string, start: number, digits: string): boolean {
  if (/[\d.eE+-]/.test(text[start - 1] ?? '') || /^-?0/.test(digits)) return false;
  let next = start + digits.length;
  while (/\s/.test(text[next] ?? '')) next += 1;
  return !/[.eE:]/.test(text[next] ?? '') && !isSafeNumber(digits);
}

/** The position of the quote that ends a string; the length of an unfinished text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (before >= start && text[before] === '\\') before -= 1;
    // An even number of backslashes escapes only backslashes.
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

/** Replaces the marked strings, in place. Without recursion, because a document can be nested deeper than the stack. */
function unmarked(value: unknown): unknown {
  const root: Record<string, unknown> = { value };
  const waiting = [root];
  for (let container = waiting.pop(); container !== undefined; container = waiting.pop()) {
    for (const [key, member] of Object.entries(container)) {
      if (typeof member === 'object' && member !== null) waiting.push(member as Record<string, unknown>);
      else if (typeof member === 'string' && member.startsWith(MARK))
        container[key] = BigInt(member.slice(MARK.length));
    }
  }
  return root['value'];
}
