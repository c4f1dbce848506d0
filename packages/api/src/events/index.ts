export { EventHub } from './event-hub.ts';
