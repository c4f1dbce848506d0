import type { ErrorCode } from './catalogue.ts';
import type { FailureDefinition } from './failures/definition.ts';
import { DEPLOY_FAILURES } from './failures/deploys.ts';
import { RUN_FAILURES } from './failures/runs.ts';
import { STATEMENT_FAILURES } from './failures/statements.ts';
import { WRITE_FAILURES } from './failures/writes.ts';

const DEFINITIONS = { ...RUN_FAILURES, ...STATEMENT_FAILURES, ...WRITE_FAILURES, ...DEPLOY_FAILURES };

/** The stable code of a failure of work, in kebab case: its own, or that of an error of the API that the work met. */
export type FailureCode = keyof typeof DEFINITIONS | ErrorCode;

/** Every failure of its own that work stores in the `error` of its record (RUN-7). */
export const FAILURES: Readonly<Record<keyof typeof DEFINITIONS, FailureDefinition>> = DEFINITIONS;
