import { diagnosticText, type ProjectDiagnostic } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';

const SHOWN = 20;

/** Combines all errors in a project's files into one failure, one line each; null without errors. */
export function projectFailure(problems: readonly ProjectDiagnostic[], code = 'invalid-project'): Failure | null {
  const [first] = problems;
  if (first === undefined) return null;
  const lines = problems.slice(0, SHOWN).map(diagnosticText);
  if (problems.length > SHOWN) lines.push(`and ${problems.length - SHOWN} more`);
  const remedy = problems.length === 1 ? first.remedy : 'Correct these errors and deploy again.';
  return { code, detail: lines.join('\n'), remedy };
}
