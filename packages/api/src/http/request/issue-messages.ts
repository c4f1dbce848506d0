import type * as z from 'zod';

const EXPECTED: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

type Issue = z.core.$ZodRawIssue;

const MESSAGES: Record<string, (issue: Record<string, unknown>) => string | undefined> = {
  invalid_type: ({ expected, input }) => {
    if (input === undefined) return 'is required';
    return `must be ${EXPECTED[String(expected)] ?? String(expected)}`;
  },
  invalid_value: ({ values, input }) =>
    `${input === undefined ? 'is required: ' : 'must be '}${oneOf(values as readonly unknown[])}`,
  too_small: ({ origin, minimum }) => `must be at least ${amount(origin, minimum)}`,
  too_big: ({ origin, maximum }) => `must be at most ${amount(origin, maximum)}`,
  // The message about an invalid field name.
  invalid_key: ({ issues }) => (issues as readonly { message?: string }[])[0]?.message,
  invalid_format: ({ format }) => (format === 'uuid' ? 'must be a UUID' : undefined),
};

const oneOf = (values: readonly unknown[]) => (values.length === 1 ? '' : 'one of ') + values.map(String).join(', ');

function amount(origin: unknown, n: unknown): string {
  const plural = Number(n) === 1 ? '' : 's';
  if (origin === 'string') return `${n} character${plural} long`;
  return origin === 'array' ? `${n} item${plural} long` : String(n);
}

/** The message for a value that breaks the contract, if its schema has no message of its own. */
export function issueMessage(issue: Issue): string | undefined {
  return MESSAGES[issue.code ?? '']?.(issue as unknown as Record<string, unknown>);
}

/** The same for a query parameter, where a repeated parameter is parsed as a list. */
export function parameterMessage(issue: Issue): string | undefined {
  const repeated = issue.code === 'invalid_type' && issue.expected === 'string' && Array.isArray(issue.input);
  return repeated ? 'accepts one value: set it once' : issueMessage(issue);
}
