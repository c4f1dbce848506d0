import type { ClaimedQuery } from '@svc/db/queries';
import type { QueryRequest } from '@svc/lake/queries';

/** Clients of the PostgreSQL protocol may use its syntax and functions, whatever their statement does with the rows. */
export const dialectOf = ({ source }: Pick<ClaimedQuery, 'source'>): Pick<QueryRequest, 'dialect'> =>
  source === 'postgres' ? { dialect: 'postgres' } : {};
