import { QUOTED_KEYWORDS } from '@svc/core/sql-tokens';

/** A name as PostgreSQL writes it in SQL. */
export const quoteName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !QUOTED_KEYWORDS.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
