import * as z from 'zod';
import { hasValidLength, TOO_LONG } from '../access/names.ts';

/** 1 to 255 characters without spaces, control characters and `:` (INDEX-10). */
export const secretName = z
  .string()
  .min(1, 'must not be empty')
  .refine(hasValidLength, TOO_LONG)
  .regex(/^[^\s:\p{C}]*$/u, 'must not contain spaces, control characters or ":"')
  .refine((name) => name !== '.' && name !== '..', 'must not be "." or ".."')
  .meta({ maxLength: 255 });

/** The name of the credential secret of a package index or a repository; an empty text clears it. */
export const credentialSecret = z
  .union([z.literal('').transform(() => null), secretName.nullable()], { error: 'must be a string, or null for none' })
  .meta({ description: 'Name of the secret with the credential; null or empty: none' });
