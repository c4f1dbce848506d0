// Lines of generated code, at most 120 characters wide.
const WIDTH = 120;

export const fits = (line) => line.length <= WIDTH;

/** Text in lines of at most the width, without indentation. */
export function wrap(text, indent) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** `open a, b close` on one line, or with `step` more indentation one item per line. */
export function bracketed(indent, step, open, items, close) {
  const line = `${' '.repeat(indent)}${open}${items.join(', ')}${close}`;
  if (fits(line)) return [line];
  return exploded(indent, step, open, items, close);
}

export function exploded(indent, step, open, items, close) {
  const inside = ' '.repeat(indent + step);
  const outside = ' '.repeat(indent);
  return [outside + open.trimEnd(), ...items.map((item) => `${inside}${item},`), outside + close.trimStart()];
}

/** Python's form of a call that doesn't fit on one line: its items on one line, or one per line. */
export function hugged(indent, open, items, close) {
  const outside = ' '.repeat(indent);
  const line = `${outside}    ${items.join(', ')}`;
  if (fits(`${outside}${open}${items.join(', ')}${close}`) || !fits(line))
    return bracketed(indent, 4, open, items, close);
  return [outside + open, line, outside + close];
}

/** The generated imports: those of the names that the code uses, by module. */
export const usedNames = (code, names) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
