import * as z from 'zod';
import { googleKey } from '../../environments/storage.ts';

/** The content of the JSON file with the key of a service account. */
export const serviceAccountKey = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined) return undefined;
    const key = googleKey(text);
    if (key !== null) return key;
    const message = 'must be the JSON of a key of a service account, with client_email and private_key';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
