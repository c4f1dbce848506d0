import * as z from 'zod';
import { anyCaseEnum, filterName } from '../../contract/index.ts';
import { ACTIONS } from '../actions.ts';

export const oneName = z.object({ name: z.string() });

/** Names of an object in a query string. */
export const objectNames = { environment: filterName, namespace: filterName, table: filterName };

export const action = anyCaseEnum(ACTIONS);

// NIST SP 800-63B allows a minimum length of 8 where sign-ins are throttled.
export const password = z
  .string()
  .min(8, 'must be at least 8 characters')
  .max(1024, 'must be at most 1,024 characters');
