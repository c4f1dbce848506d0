import * as z from 'zod';

/** A parameter of requests whose rows the service itself reads. */
export const urlField = {
  url: z
    .url({ protocol: /^https?$/, error: 'must be a URL that starts with https:// or http://' })
    .max(4096)
    .optional()
    .meta({ description: 'read the file from this URL, which the operator must allow, instead of the body' }),
};

/** Whether a URL lies below one of these, which are normalized and end with a slash. Names and passwords are never allowed. */
export function isAllowedUrl(text: string, allowed: readonly string[]): boolean {
  const url = new URL(text);
  return url.username === '' && url.password === '' && allowed.some((start) => url.href.startsWith(start));
}
