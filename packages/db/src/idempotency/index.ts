export { findAnswer, type IdempotencyId, lockKey, removeExpiredAnswers, storeAnswer } from './answers.ts';
