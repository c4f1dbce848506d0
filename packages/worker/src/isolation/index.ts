export { type FoundIsolation, findIsolation } from './find-isolation.ts';
export type { Bubblewrap, Isolation, Program, Room } from './isolate.ts';
export { type RoomOptions, runInRoom } from './run-in-room.ts';
