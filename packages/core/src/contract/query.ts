import * as z from 'zod';

/** Page size of a list: 1 to 200, default 100 (specification 4, 8). */
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
  description: `Rows in a page, 1 to ${LIMIT_MAX}, default ${LIMIT_DEFAULT}`,
});
export const cursor = z
  .string()
  .max(2048)
  .optional()
  .meta({ description: 'X-Next-Cursor of the page before, with the same filters and limit' });

/** The paging parameters of a list (specification 4). */
export const paging = { limit, cursor };

/** Those of a list that answers whole unless a limit is given. */
export const wholePaging = {
  limit: rows.optional().meta({ description: `Rows in a page, 1 to ${LIMIT_MAX}; without it the list is whole` }),
  cursor,
};

/** `true` or `false`, in any letter case: some languages write a capital. */
export const flag = z
  .string()
  .regex(/^(?:true|false)$/i, 'must be true or false')
  .transform((v) => v.toLowerCase() === 'true')
  .default(false)
  .meta({ enum: ['true', 'false'] });

/** One or more words out of a closed list, repeated or separated by commas, in any letter case where so told. */
export function words<T extends string>(allowed: readonly T[], options: { anyCase?: boolean } = {}) {
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
      description: `One or more, repeated or separated by commas${options.anyCase ? ', in any letter case' : ''}`,
      anyOf: [{ enum: allowed }, { type: 'array', items: { enum: allowed } }],
    });
}

/** A word out of a closed list, in any letter case; the route says which are allowed to who may ask. */
export const anyCaseWord = (allowed: readonly string[]) =>
  z
    .string()
    // One spelling, so that a cursor goes on with the same filter written otherwise.
    .transform((text) => allowed.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text)
    .meta({ description: 'In any letter case', enum: allowed });

/** A text that names of the list contain, its spaces included; blank is no filter. */
export const search = z
  .string()
  .optional()
  .transform((text) => (text?.trim() === '' ? undefined : text))
  .meta({ description: 'Text that the name contains, in any letter case; blank lists all' });

/** A name that narrows a list, or says what is asked about or meant. */
export const filterName = z.string().min(1, 'must not be empty: give a name, or leave it out').optional();

/** Seconds to wait for the end of a piece of work, 0 to 60. */
export const wait = integerText(0, 60)
  .default(0)
  .meta({ description: 'Seconds to wait for the end, 0 to 60: the answer comes as soon as it has ended' });
