export { type AccessRequest, accessRequestEndpoints, REQUEST_STATES, type RequestState } from './contract.ts';
