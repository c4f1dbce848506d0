import * as z from 'zod';
import { endpoint, signedIn } from '../contract/index.ts';

export const sqlAddressSchema = z
  .object({
    host: z.string().meta({ description: 'Host name or IP address (IPv6 without brackets)' }),
    port: z.int(),
    tls: z.boolean().meta({ description: 'Whether connections can be encrypted' }),
  })
  .meta({ id: 'SqlAddress' });
export type SqlAddress = z.infer<typeof sqlAddressSchema>;

export const sqlEndpointSchema = z
  .object({ address: sqlAddressSchema.nullable().meta({ description: 'null: the endpoint is off' }) })
  .meta({ id: 'SqlEndpointStatus' });

export const sqlEndpointEndpoints = {
  get: endpoint({
    id: 'sqlEndpoint.get',
    method: 'GET',
    path: '/api/v1/sql-endpoint',
    summary: 'Get the address at which clients of the PostgreSQL protocol connect',
    client: { notes: '`address` is `null` while the endpoint is off.' },
    needs: signedIn,
    response: { status: 200, schema: sqlEndpointSchema },
  }),
};
