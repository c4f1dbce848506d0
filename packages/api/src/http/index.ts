export { createApp } from './app.ts';
export { CONNECTION_TIMES, limitConnections } from './connections.ts';
export type { ApiDeps } from './deps.ts';
export { deriveKeys, type Keys, sha256 } from './keys.ts';
export { createLimiter, type Limiter } from './limiter.ts';
export { messagesOf } from './messages.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { answerUnread } from './unread-request.ts';
export { createWaiter, type Waiter } from './waiter.ts';
