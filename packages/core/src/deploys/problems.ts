/** Something in a project's files that stops a deploy: the cause, where it stands, and what to do about it. */
export interface ProjectProblem {
  /** Path inside the project, with forward slashes. */
  readonly file: string;
  /** Line in the file, from 1; null when it is the file as a whole. */
  readonly line: number | null;
  readonly message: string;
  readonly remedy: string | null;
}

/** One line for people: `svc.yaml:4: cause. Remedy.` */
export function problemText(problem: ProjectProblem): string {
  const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}`;
  return `${place}: ${problem.message}${problem.remedy === null ? '' : `; ${problem.remedy}`}`;
}

/** Of a text that holds what can be stored nowhere: written as an escape, for a file with it is none. */
export const UNSTORABLE = {
  message: 'a text holds NUL or a lone surrogate, which can be stored nowhere',
  remedy: 'leave the character out',
};
