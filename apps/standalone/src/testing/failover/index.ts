export { Load } from './load.ts';
export { type Relay, startRelay } from './relay.ts';
