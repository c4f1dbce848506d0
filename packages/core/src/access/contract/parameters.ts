import * as z from 'zod';
import { anyCaseEnum, filterName, zonedTime } from '../../contract/index.ts';
import { ACTIONS } from '../actions.ts';
import { MIN_PASSWORD_LENGTH } from '../password-rules.ts';

export const oneName = z.object({ name: z.string() });

/** Names of an object in a query string. */
export const objectNames = {
  environment: filterName,
  namespace: filterName,
  table: filterName,
  service_account: filterName,
};

export const action = anyCaseEnum(ACTIONS);

/** The scope of a new token. */
export const tokenScope = {
  environments: z
    .array(z.string())
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'environments in which the token works (default: wherever its principal has permissions)' }),
  actions: z
    .array(action)
    .min(1)
    .max(ACTIONS.length)
    .optional()
    .meta({ description: 'actions that the token carries at most (default: all that its principal has)' }),
};

/** When a token or grant expires. */
export const expiryTime = zonedTime.meta({ format: 'date-time' });

export const password = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `must be at least ${MIN_PASSWORD_LENGTH} characters`)
  .max(1024, 'must be at most 1,024 characters');
