/**
 * The text without trailing repetitions of the character. A regular expression would retry a run in the middle from
 * each position, in quadratic time.
 */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
