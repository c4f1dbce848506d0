/** The regular expression of a pattern of SIMILAR TO, for a match of the whole text. */
export function similarPattern(pattern: string): string {
  let regex = '';
  let isInBrackets = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    if (character === '\\') regex += `\\${pattern[++at] ?? '\\'}`;
    else if (isInBrackets) {
      isInBrackets = character !== ']';
      regex += character;
    } else if (character === '[') {
      isInBrackets = true;
      regex += character;
    } else if (character === '%') regex += '.*';
    else if (character === '_') regex += '.';
    else regex += '.^$'.includes(character) ? `\\${character}` : character;
  }
  return `(?s)(?:${regex})`;
}
