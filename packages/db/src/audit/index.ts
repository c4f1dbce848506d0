export { type ActivityWindow, openActivityWindow } from './activity-views.ts';
export { completedQuery } from './completed-query.ts';
export { countEvents, exportEvents } from './export-events.ts';
export { type EventFilter, listEvents } from './list-events.ts';
export { insertEvent, insertEvents, type NewEvent, recordEvent, recordEvents } from './record-event.ts';
export { sealEvents } from './seal-events.ts';
export { verifyChain } from './verify-chain.ts';
