export { type FoundIsolation, findIsolation } from './find-isolation.ts';
export type { Bubblewrap, Isolation, Room } from './isolate.ts';
export { runInRoom } from './run-in-room.ts';
