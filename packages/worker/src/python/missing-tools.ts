import { OLDEST_PYTHON } from '../programs/find-tools.ts';
import { RunError } from '../work/run-error.ts';

/** The error if uv is missing. */
export function uvMissingError(): RunError {
  return new RunError(
    'uv-missing',
    "Python environments are built with uv, which the worker doesn't have",
    'install uv where the worker runs, or set SVC_RUN__UV to its path',
  );
}

/** The error if tasks must be isolated and can't be. */
export function isolationMissingError(reason: string): RunError {
  return new RunError(
    'isolation-missing',
    `Python tasks must run in a sandbox, but on the worker ${reason}`,
    'have the operator of the worker fix this, or accept that tasks can read everything that the worker can read (SVC_RUN__ISOLATION=none)',
  );
}

/** The error if no Python version fits. */
export function pythonMissingError(request: string | null): RunError {
  const wanted = request === null ? `Python ${OLDEST_PYTHON.join('.')} or newer` : `Python ${request}`;
  return new RunError(
    'python-missing',
    `the worker doesn't have ${wanted}`,
    `install it where the worker runs, or change python in svc.yaml`,
  );
}
