export { type SavedParameter, type SavedQuery, savedQueryEndpoints } from './contract.ts';
