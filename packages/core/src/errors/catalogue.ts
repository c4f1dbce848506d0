import { ACCESS_ERRORS } from './catalogue/access.ts';
import { CONFLICT_ERRORS } from './catalogue/conflicts.ts';
import type { ErrorDefinition } from './catalogue/definition.ts';
import { REQUEST_ERRORS } from './catalogue/requests.ts';
import { SERVICE_ERRORS } from './catalogue/service.ts';

const DEFINITIONS = { ...ACCESS_ERRORS, ...CONFLICT_ERRORS, ...REQUEST_ERRORS, ...SERVICE_ERRORS };

/** The stable code of an error, in kebab case. */
export type ErrorCode = keyof typeof DEFINITIONS;

/**
 * Every error that the API returns. The code that detects an error writes its message with cause and remedy; internal
 * causes go to the log only.
 */
export const ERRORS: Readonly<Record<ErrorCode, ErrorDefinition>> = DEFINITIONS;
