import * as z from 'zod';

// Unicode "Other" (control, format, surrogate, private use, unassigned) and line separators are not printable.
const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
// NFC only: é as one character and as e with a combining accent look the same, so they must not be two names.
export const composed = (name: string): boolean => name === name.normalize('NFC');
export const NOT_COMPOSED = 'must be in Unicode normalization form NFC';
// Lengths count characters, not UTF-16 code units.
export const hasValidLength = (name: string): boolean => name.length <= 255 || [...name].length <= 255;
export const TOO_LONG = 'must be at most 255 characters';
const isNotDots = (name: string) => name !== '.' && name !== '..';

/** Principals and groups: 1 to 255 printable characters without `/` (TABLE-2). */
export const principalName = z
  .string()
  .min(1, 'must not be empty')
  .refine(hasValidLength, TOO_LONG)
  .regex(PRINTABLE, 'must contain only printable characters')
  .refine((name) => !name.includes('/') && name.trim() === name, 'must not contain "/", or start or end with a space')
  .refine(isNotDots, 'must not be "." or ".."')
  .refine(composed, NOT_COMPOSED)
  .meta({ maxLength: 255 });

/** Repositories, jobs and package indexes: no `/`, no `.`, at most 255 characters (TABLE-2). */
export const repositoryName = z
  .string()
  .min(1, 'must not be empty')
  .refine(hasValidLength, TOO_LONG)
  .regex(PRINTABLE, 'must contain only printable characters')
  .refine(
    (name) => !/[/.]/.test(name) && name.trim() === name,
    'must not contain "/" or ".", or start or end with a space',
  )
  .refine(composed, NOT_COMPOSED)
  .meta({ maxLength: 255 });

export const environmentName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'must be 1 to 63 characters of a-z, 0-9, "_" and "-", starting with a letter or digit',
  );

const IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]{0,127}';
const PART = new RegExp(`^${IDENTIFIER}$`);
const partRule = '1 to 128 letters, digits and "_", not starting with a digit';

/** Whether a text can be a table name or one part of a namespace. */
export const isNamePart = (text: string): boolean => PART.test(text);

export const tableName = z.string().regex(PART, `must be ${partRule}`);

export const namespacePath = z
  .string()
  .max(1024, 'must be at most 1024 characters')
  .refine((path) => path.split('.').every(isNamePart), `must be parts joined by ".", each ${partRule}`)
  .meta({ pattern: `^${IDENTIFIER}(?:\\.${IDENTIFIER})*$` });

/** The pattern of a table name qualified by its namespace. */
export const QUALIFIED_TABLE = `^${IDENTIFIER}(?:\\.${IDENTIFIER})+$`;

/** Columns: 1 to 255 printable characters (TABLE-2). */
export const columnName = z
  .string()
  .min(1, 'must not be empty')
  .refine(hasValidLength, TOO_LONG)
  .regex(PRINTABLE, 'must contain only printable characters')
  .meta({ maxLength: 255 });

export const description = z.string().max(10_000, 'must be at most 10,000 characters');
