/** Something in a project's files that stops a deploy: the cause, the place and the remedy. */
export interface ProjectDiagnostic {
  /** Path inside the project, with forward slashes. */
  readonly file: string;
  /** Line in the file, from 1; null for the file as a whole. */
  readonly line: number | null;
  /** The exact position in that line, if known. */
  readonly caret?: Caret;
  readonly message: string;
  readonly remedy: string | null;
}

/** A position in a line, with an excerpt of the line around it. */
export interface Caret {
  /** In characters, from 1; null if the excerpt isn't in the file as it is. */
  readonly column: number | null;
  readonly excerpt: string;
  /** Characters of the excerpt before the position. */
  readonly indent: number;
}

/** Characters of a line shown before and after the position. */
const EXCERPT_LENGTH = { before: 60, after: 40 };

/** The line and position of an offset in a text. */
export function positionIn(text: string, offset: number): { readonly line: number; readonly caret: Caret } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const before = [...text.slice(start, offset)];
  const after = [...text.slice(offset, end < 0 ? text.length : end)];
  const excerpt = [...before.slice(-EXCERPT_LENGTH.before), ...after.slice(0, EXCERPT_LENGTH.after)].join('');
  return {
    line: text.slice(0, start).split('\n').length,
    caret: {
      column: before.length + 1,
      // Replaces each control character with one space, so that the caret stays in its column.
      excerpt: excerpt.replaceAll(/\p{Cc}/gu, ' ').trimEnd(),
      indent: Math.min(before.length, EXCERPT_LENGTH.before),
    },
  };
}

/**
 * The problem for people: `svc.yaml:4: cause; remedy`, followed by the line with a caret below it if the position is
 * known.
 */
export function diagnosticText(problem: ProjectDiagnostic): string {
  const { caret, message, remedy } = problem;
  const position = positionText(problem);
  const text = `${position}: ${message}${remedy === null ? '' : `; ${remedy}`}`;
  return caret === undefined ? text : `${text}\n  ${caret.excerpt}\n  ${' '.repeat(caret.indent)}^`;
}

/** The problem for the audit log, which repeats no part of a statement (AUDIT-2): only messages with a caret quote one. */
export function diagnosticTextWithoutQuotes(problem: ProjectDiagnostic): string {
  return problem.caret === undefined ? diagnosticText(problem) : `${positionText(problem)}: the statement isn't valid`;
}

const positionText = ({ file, line, caret }: ProjectDiagnostic): string =>
  [file, line, caret?.column].filter((part) => part != null).join(':');

/**
 * For a text with NUL or a lone surrogate, which the database can't store. It comes from an escape sequence, because a
 * file that contains the character itself is invalid.
 */
export const UNSTORABLE = {
  message: 'a text contains NUL or a lone surrogate, which cannot be stored',
  remedy: 'remove the character',
};
