export { canRead, type Reader } from './can-read.ts';
export { type Change, changeOf, NOTHING, type RecordedChange } from './change-of.ts';
export { CHANGE_KINDS, type LiveEvent, liveEventEndpoints, liveEventSchema } from './contract.ts';
export { MAX_REPLAYED, MAX_STREAMS, MAX_STREAMS_PER_PRINCIPAL, STREAM_TIMES } from './limits.ts';
