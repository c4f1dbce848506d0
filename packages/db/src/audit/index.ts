export { type EventFilter, listEvents } from './list-events.ts';
export { type NewEvent, recordEvent } from './record-event.ts';
