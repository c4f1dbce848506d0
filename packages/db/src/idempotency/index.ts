export { findResponse, type IdempotencyId, lockKey, removeExpiredResponses, storeResponse } from './responses.ts';
