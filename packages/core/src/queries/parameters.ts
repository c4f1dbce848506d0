import * as z from 'zod';
import { parseColumnType } from '../column-types/index.ts';
import { MAX_PARAMETERS } from '../sql-tokens/index.ts';

/** Names as the engine's parser accepts them after `$`. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** A larger integer has no exact type. */
const DECIMAL_BELOW = 1e38;

const scalar = z.union([
  z.string(),
  z.boolean(),
  z.null(),
  z.number().refine((n) => !Number.isInteger(n) || Number.isSafeInteger(n), {
    error: ({ input }) =>
      Math.abs(Number(input)) < DECIMAL_BELOW
        ? 'is not exact as a JSON number: write {"type": "decimal(38,0)", "value": "…"}, or {"type": "double", "value": …} for a floating-point number'
        : 'is not exact as a JSON number: write {"type": "double", "value": …}',
  }),
]);

/** Whether a value of the type is written as one text. The engine reads the text of a binary value in its own way. */
export function isWrittenType(text: string): boolean {
  const parsed = parseColumnType(text);
  return parsed.ok && !['list', 'map', 'struct', 'binary'].includes(parsed.type.kind);
}

export const WRITTEN_TYPES =
  'must be boolean, int, long, float, double, decimal(p,s), date, time, timestamp, timestamptz, string or uuid';

function kindOf(text: string): string | null {
  const parsed = parseColumnType(text);
  return parsed.ok ? parsed.type.kind : null;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const isBinary = (type: string): boolean => kindOf(type) === 'binary';

const WHOLE: readonly (string | null)[] = ['int', 'long'];

/** Whether the engine would round the value. It refuses a text that isn't a number itself. */
function isFraction(value: unknown): boolean {
  const [, digits = ''] = String(value).trim().split('.', 2);
  // As a double, a large number has no fraction.
  const isWritten = /^\d+$/.test(digits) && /[1-9]/.test(digits);
  return isWritten || (Number.isFinite(Number(value)) && !Number.isInteger(Number(value)));
}

const CLOCKS: readonly (string | null)[] = ['time', 'timestamp', 'timestamptz'];
/** More digits than microseconds have; the engine would drop them. */
const FINER_THAN_MICROSECONDS = /\.\d{6}\d*[1-9]/;

const typed = z
  .strictObject({
    type: z
      .string()
      .max(64)
      .refine((type) => isWrittenType(type) || isBinary(type), `${WRITTEN_TYPES}, or binary with a value in base64`),
    value: z.union([scalar, z.number()]),
  })
  .refine(({ type, value }) => scalar.safeParse(value).success || ['float', 'double'].includes(kindOf(type) ?? ''), {
    path: ['value'],
    error: 'is not exact as a JSON number: write its digits as a text',
  })
  .refine(({ type, value }) => !WHOLE.includes(kindOf(type)) || !isFraction(value), {
    path: ['value'],
    error: 'must be an integer, because the type has no fractions: the value would be rounded',
  })
  .refine(({ type, value }) => value === null || !isBinary(type) || (typeof value === 'string' && BASE64.test(value)), {
    path: ['value'],
    error: 'must be base64, because the type is binary',
  })
  .refine(({ type, value }) => !CLOCKS.includes(kindOf(type)) || !FINER_THAN_MICROSECONDS.test(String(value)), {
    path: ['value'],
    error: 'has digits below a microsecond, which would be lost: round it to microseconds',
  });

const value = z.union([scalar, typed], {
  error: 'must be a text, a number, true, false, null, or an object with type and value',
});

/** Values of the parameters of a query: a list for `?` and `$1`, or by name for `$name`. */
export const queryParamsSchema = z.union(
  [
    z.array(value).max(MAX_PARAMETERS),
    z
      .record(z.string().regex(NAME, 'must be a name of letters, digits and _'), value)
      .refine((named) => Object.keys(named).length <= MAX_PARAMETERS, `must have at most ${MAX_PARAMETERS} values`),
  ],
  {
    error:
      'must be a list of values for ? and $1, or an object of values for $name. Names have letters, digits and _; a value is a text, a number, true, false, null, or an object with type and value',
  },
);

export type QueryParams = z.infer<typeof queryParamsSchema>;
export type QueryParam = z.infer<typeof value>;
