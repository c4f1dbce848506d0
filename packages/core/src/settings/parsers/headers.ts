import * as z from 'zod';
import { list, printable } from './basic.ts';

/** `name=value,name=value`. Commas and characters that a header can't contain are percent-encoded in values. */
export const headers = list().transform((pairs, context) => {
  const read: Record<string, string> = {};
  for (const pair of pairs) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=(.*)$/s.exec(pair) ?? [];
    const headerValue = decoded(value?.trimStart() ?? '');
    if (name === undefined || !printable.safeParse(headerValue).success) {
      context.addIssue({ code: 'custom', message: 'must be headers of the form name=value, separated by commas' });
      return z.NEVER;
    }
    read[name] = headerValue!;
  }
  return read;
});

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
