import { Prisma } from '../generated/client.ts';

/**
 * A text to compare or search in any letter case. Lower case alone isn't enough: σ and ς, the forms of Σ, stay different. Upper case
 * alone isn't either: in some locales, so do ß and ẞ.
 */
const anyCase = (text: Prisma.Sql): Prisma.Sql => Prisma.sql`lower(upper(lower(${text})))`;

/** Whether a text contains another one, in any letter case. */
export const containsText = (text: Prisma.Sql, part: string): Prisma.Sql =>
  Prisma.sql`strpos(${anyCase(text)}, ${anyCase(Prisma.sql`${part}::text`)}) > 0`;
