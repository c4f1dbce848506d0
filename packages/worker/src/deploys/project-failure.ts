import { diagnosticText, type ProjectDiagnostic } from '@svc/core/deploys';
import type { Failure, FailureCode } from '@svc/core/errors';
import { failure } from '../work/failures.ts';

const SHOWN = 20;

/** Combines all errors in a project's files into one failure, one line each; null without errors. */
export function projectFailure(
  problems: readonly ProjectDiagnostic[],
  code: FailureCode = 'invalid-project',
): Failure | null {
  const [first] = problems;
  if (first === undefined) return null;
  const lines = problems.slice(0, SHOWN).map(diagnosticText);
  if (problems.length > SHOWN) lines.push(`and ${problems.length - SHOWN} more`);
  const remedy = problems.length === 1 ? first.remedy : 'Correct these errors and deploy again.';
  return failure(code, lines.join('\n'), remedy);
}
