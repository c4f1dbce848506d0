import { diagnosticText, diagnosticTextWithoutQuotes, type ProjectDiagnostic } from '@svc/core/deploys';
import type { Failure, FailureCode } from '@svc/core/errors';
import { failure } from '../work/failures.ts';

const SHOWN = 20;

/** Combines all errors in a project's files into one failure, one line each; null without errors. */
export function projectFailure(
  problems: readonly ProjectDiagnostic[],
  code: FailureCode = 'invalid-project',
): Failure | null {
  return combined(problems, code, diagnosticText);
}

/** The same failure for the audit log, which repeats no part of a statement (AUDIT-2). */
export function recordedProjectFailure(problems: readonly ProjectDiagnostic[]): Failure | null {
  return combined(problems, 'invalid-project', diagnosticTextWithoutQuotes);
}

function combined(
  problems: readonly ProjectDiagnostic[],
  code: FailureCode,
  textOf: (problem: ProjectDiagnostic) => string,
): Failure | null {
  const [first] = problems;
  if (first === undefined) return null;
  const lines = problems.slice(0, SHOWN).map(textOf);
  if (problems.length > SHOWN) lines.push(`and ${problems.length - SHOWN} more`);
  const remedy = problems.length === 1 ? first.remedy : 'Correct these errors and deploy again.';
  return failure(code, lines.join('\n'), remedy);
}
