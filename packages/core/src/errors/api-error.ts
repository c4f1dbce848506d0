import * as z from 'zod';
import { ERRORS, type ErrorCode } from './catalogue.ts';

/** One invalid input: a query or path `parameter`, or a JSON `pointer` into the body. */
export interface InputError {
  parameter?: string;
  pointer?: string;
  message: string;
}

export interface ApiErrorOptions {
  /** A command that fixes it, if there is one. */
  remedy?: string;
  errors?: InputError[];
  /** What completes a sign-in. */
  secondFactor?: SecondFactorChallenge;
  /** Seconds, sent as Retry-After. */
  retryAfter?: number;
  /** For the log, never for the client. */
  cause?: unknown;
}

const secondFactorSchema = z
  .object({
    challenge: z.string().meta({ description: 'what the second request contains; a secret' }),
    expires_at: z.iso.datetime(),
    methods: z.array(z.enum(['code', 'assertion', 'recovery_code'])),
    options: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'PublicKeyCredentialRequestOptions as JSON, for the browser; null without a security key' }),
  })
  .meta({ id: 'SecondFactorChallenge' });

/** What a client needs to complete a sign-in with a second factor. */
export type SecondFactorChallenge = z.infer<typeof secondFactorSchema>;

/** An error with a message for people, returned as `application/problem+json` (RFC 9457, HTTP-3). */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: string;
  readonly remedy: string | undefined;
  readonly errors: InputError[] | undefined;
  readonly retryAfter: number | undefined;
  readonly secondFactor: SecondFactorChallenge | undefined;

  constructor(code: ErrorCode, detail: string, options: ApiErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.detail = detail;
    this.remedy = options.remedy;
    this.errors = options.errors;
    this.retryAfter = options.retryAfter;
    this.secondFactor = options.secondFactor;
  }
}

/** A 422 that names the parameter or body field; an empty pointer is the whole body. */
export function invalid(at: { parameter: string } | { pointer: string }, message: string, remedy?: string): ApiError {
  const name = 'parameter' in at ? `parameter ${at.parameter}: ` : `field ${at.pointer}: `;
  const isBody = 'pointer' in at && at.pointer === '';
  const sentence = isBody ? `${message.charAt(0).toUpperCase()}${message.slice(1)}` : `${name}${message}`;
  // A command at the end must be easy to copy.
  const isComplete = message.endsWith('.') || (remedy !== undefined && message.endsWith(remedy));
  return new ApiError('invalid-request', isComplete ? sentence : `${sentence}.`, {
    errors: [{ ...at, message }],
    ...(remedy === undefined ? {} : { remedy }),
  });
}

export const problemDetailsSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.string(),
    request_id: z.string(),
    errors: z
      .array(z.object({ parameter: z.string().optional(), pointer: z.string().optional(), message: z.string() }))
      .optional(),
    remedy: z.string().optional(),
    second_factor: secondFactorSchema.optional().meta({ description: 'with the code second-factor-required' }),
  })
  .meta({ id: 'ProblemDetails', description: 'RFC 9457 problem details' });

export type ProblemDetails = z.infer<typeof problemDetailsSchema>;

/**
 * Why a piece of work (write, query, deploy, run, task) failed, stored on its record (RUN-7). The code is a `FailureCode`;
 * records and clients of other versions may have others.
 */
export const failureSchema = z
  .object({ code: z.string(), detail: z.string(), remedy: z.string().nullable() })
  .meta({ id: 'Failure' });

export type Failure = z.infer<typeof failureSchema>;
