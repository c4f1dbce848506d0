import * as z from 'zod';
import { namespaceParams } from '../namespaces/contract.ts';

export const tableParams = namespaceParams.extend({ name: z.string() });
