import { type ProjectProblem, problemText } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';

const SHOWN = 20;

/** All that is wrong with a project's files as one failure, a line each; null when nothing is. */
export function projectFailure(problems: readonly ProjectProblem[], code = 'invalid-project'): Failure | null {
  const [first] = problems;
  if (first === undefined) return null;
  const lines = problems.slice(0, SHOWN).map(problemText);
  if (problems.length > SHOWN) lines.push(`and ${problems.length - SHOWN} more`);
  const remedy = problems.length === 1 ? first.remedy : 'Correct these places and deploy again.';
  return { code, detail: lines.join('\n'), remedy };
}
