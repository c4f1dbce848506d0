import * as z from 'zod';

/** Page size of a list (HTTP-7). */
export const LIMIT_MAX = 200;
export const LIMIT_DEFAULT = 100;

const limitMessage = (max: number) => `must be a whole number from 1 to ${max}`;

export const integerText = (min: number, max: number, message = `must be a whole number from ${min} to ${max}`) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, message)
    .transform(Number)
    .refine((n) => n >= min && n <= max, message)
    .meta({ type: 'integer', pattern: undefined, minimum: min, maximum: max });

const rows = integerText(1, LIMIT_MAX, limitMessage(LIMIT_MAX));

export const limit = rows.default(LIMIT_DEFAULT).meta({
  description: `Rows per page, 1 to ${LIMIT_MAX} (default: ${LIMIT_DEFAULT})`,
});
export const cursor = z
  .string()
  .max(2048)
  .optional()
  .meta({ description: 'X-Next-Cursor of the previous page, with the same filters and limit' });

/** The paging parameters of a list (HTTP-7). */
export const paging = { limit, cursor };

/** The paging parameters of a list that is complete unless the request sets a limit. */
export const unpagedByDefault = {
  limit: rows.optional().meta({ description: `Rows per page, 1 to ${LIMIT_MAX} (default: all rows)` }),
  cursor,
};

/** `true` or `false`, in any letter case: some languages print booleans with a capital. */
export const flag = z
  .string()
  .regex(/^(?:true|false)$/i, 'must be true or false')
  .transform((v) => v.toLowerCase() === 'true')
  .default(false)
  .meta({ enum: ['true', 'false'] });

/** One or more words of a fixed list, repeated or separated by commas; with `anyCase` in any letter case. */
export function enumList<T extends string>(allowed: readonly T[], options: { anyCase?: boolean } = {}) {
  const message = `must be one of ${allowed.join(', ')}`;
  return z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((value, context): T[] | undefined => {
      if (value === undefined) return undefined;
      const texts = (Array.isArray(value) ? value : [value]).flatMap((t) => t.split(',')).map((t) => t.trim());
      const out: T[] = [];
      for (const text of texts) {
        const found = allowed.find((a) => a === text || (options.anyCase && a.toLowerCase() === text.toLowerCase()));
        if (found === undefined) {
          context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is not allowed: ${message}` });
          return z.NEVER;
        }
        if (!out.includes(found)) out.push(found);
      }
      return out;
    })
    .meta({
      description: `One or more, repeated or separated by commas${options.anyCase ? ' (case-insensitive)' : ''}`,
      anyOf: [{ enum: allowed }, { type: 'array', items: { enum: allowed } }],
    });
}

/**
 * A word of a fixed list, in any letter case (HTTP-2). The route rejects unknown words after authorization, so that
 * callers without permission learn nothing (ACCESS-20).
 */
export const anyCaseEnum = (allowed: readonly string[]) =>
  z
    .string()
    // Normalizing the spelling keeps a cursor valid when the next request spells the filter differently.
    .transform((text) => allowed.find((value) => value.toLowerCase() === text.toLowerCase()) ?? text)
    .meta({ description: 'Case-insensitive', enum: allowed });

/** A text that names must contain, including its spaces; a blank text matches all (ACCESS-13). */
export const search = z
  .string()
  .optional()
  .transform((text) => (text?.trim() === '' ? undefined : text))
  .meta({ description: 'Case-insensitive text that the name contains; if blank, all are listed' });

/** A name that filters a list or identifies the object of a request. */
export const filterName = z.string().min(1, 'must not be empty: set a name, or omit the parameter').optional();

/** Seconds to wait for work to finish, 0 to 60 (HTTP-9). */
export const wait = integerText(0, 60)
  .default(0)
  .meta({ description: 'Seconds to wait for completion, 0 to 60. The response is sent as soon as the work finishes' });
