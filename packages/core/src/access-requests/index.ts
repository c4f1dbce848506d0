export { type AccessRequest, accessRequestEndpoints } from './contract.ts';
export { MAX_TEXT, REQUEST_STATES, type RequestState } from './request-states.ts';
