export { messagesOf } from './answer/messages.ts';
export { answerUnread } from './answer/unread-request.ts';
export { createWaiter, type Waiter } from './answer/waiter.ts';
export { createApp } from './app.ts';
export type { ApiDeps } from './deps.ts';
export { deriveKeys, type Keys, sha256 } from './keys.ts';
export { CONNECTION_TIMES, limitConnections } from './server/connections.ts';
export { createLimiter, type Limiter } from './server/limiter.ts';
export { createMetrics, type Metrics } from './server/metrics.ts';
