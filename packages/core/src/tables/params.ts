import * as z from 'zod';
import { namespaceParams } from '../namespaces/contract.ts';

/** The path of a table; its routes extend it. */
export const tablePath = '/api/v1/environments/{env}/namespaces/{path}/tables/{name}';
export const tableParams = namespaceParams.extend({ name: z.string() });
