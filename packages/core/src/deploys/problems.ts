/** Something in a project's files that stops a deploy: the cause, where it stands, and what to do about it. */
export interface ProjectProblem {
  /** Path inside the project, with forward slashes. */
  readonly file: string;
  /** Line in the file, from 1; null when it is the file as a whole. */
  readonly line: number | null;
  /** The exact position in that line, where known. */
  readonly caret?: Caret;
  readonly message: string;
  readonly remedy: string | null;
}

/** A position in a line, with the part of the line around it. */
export interface Caret {
  /** In characters, from 1; null when the excerpt isn't written in the file as it is. */
  readonly column: number | null;
  readonly excerpt: string;
  /** Characters of the excerpt before the position. */
  readonly indent: number;
}

/** Characters of a line shown before and after a position. */
const SHOWN = { before: 60, after: 40 };

/** Line and position of an offset in a text, for a problem. */
export function positionIn(text: string, offset: number): { readonly line: number; readonly caret: Caret } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const before = [...text.slice(start, offset)];
  const after = [...text.slice(offset, end < 0 ? text.length : end)];
  const shown = [...before.slice(-SHOWN.before), ...after.slice(0, SHOWN.after)].join('');
  return {
    line: text.slice(0, start).split('\n').length,
    caret: {
      column: before.length + 1,
      // One column per character, so that the caret stands below its own.
      excerpt: shown.replaceAll(/\p{Cc}/gu, ' ').trimEnd(),
      indent: Math.min(before.length, SHOWN.before),
    },
  };
}

/** For people: `svc.yaml:4: cause; remedy`, and the line with a caret below it where the position is known. */
export function problemText({ file, line, caret, message, remedy }: ProjectProblem): string {
  const place = [file, line, caret?.column].filter((part) => part != null).join(':');
  const text = `${place}: ${message}${remedy === null ? '' : `; ${remedy}`}`;
  return caret === undefined ? text : `${text}\n  ${caret.excerpt}\n  ${' '.repeat(caret.indent)}^`;
}

/** Of a text that holds what can be stored nowhere: written as an escape, for a file with it is none. */
export const UNSTORABLE = {
  message: 'a text holds NUL or a lone surrogate, which can be stored nowhere',
  remedy: 'leave the character out',
};
