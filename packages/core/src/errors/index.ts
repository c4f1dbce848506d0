export {
  ApiError,
  type ApiErrorOptions,
  type Failure,
  failureSchema,
  type InputError,
  invalid,
  type ProblemDetails,
  problemDetailsSchema,
  type SecondFactorChallenge,
} from './api-error.ts';
export { cancelled } from './cancelled.ts';
export { ERRORS, type ErrorCode } from './catalogue.ts';
export { FAILURES, type FailureCode } from './failures.ts';
