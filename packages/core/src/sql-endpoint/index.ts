export { type SqlAddress, sqlEndpointEndpoints } from './contract.ts';
export { sqlAddress } from './sql-address.ts';
