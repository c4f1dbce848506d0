export {
  type AccessRequestFilter,
  accessRequestRecord,
  countPending,
  createAccessRequest,
  decideAccessRequest,
  findAccessRequest,
  listAccessRequests,
  type StoredAccessRequest,
} from './access-requests.ts';
