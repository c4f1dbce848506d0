import * as z from 'zod';

/** `skip` leaves out the lines that can't be loaded. */
const ON_ERROR = ['abort', 'skip'] as const;

const MAX_ERRORS_DEFAULT = 1000;
const MAX_ERRORS = 100_000_000;
const message = `must be a whole number from 0 to ${MAX_ERRORS}`;

export const errorFields = {
  on_error: z.enum(ON_ERROR, { error: 'must be abort or skip' }).optional().meta({
    description:
      'what a line that cannot be loaded does: fail the load, or be left out (CSV and NDJSON; default: abort)',
  }),
  max_errors: z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,9}$/)
          .transform(Number),
      ],
      { error: message },
    )
    .refine((count) => count >= 0 && count <= MAX_ERRORS, message)
    .optional()
    .meta({
      description: `for on_error=skip: how many lines may be left out before the load fails (default: ${MAX_ERRORS_DEFAULT})`,
      ...{ type: 'integer', minimum: 0, maximum: MAX_ERRORS, anyOf: undefined },
    }),
};

/** How many lines a load may leave out; null if none may be. */
export function errorLimit(fields: { on_error?: 'abort' | 'skip' | undefined; max_errors?: number | undefined }) {
  return fields.on_error === 'skip' ? (fields.max_errors ?? MAX_ERRORS_DEFAULT) : null;
}
