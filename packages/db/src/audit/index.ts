export { type ActivityWindow, openActivityWindow } from './activity-views.ts';
export {
  type ArchivablePartition,
  ArchiveContents,
  archiveLocations,
  findArchivable,
  type NewArchive,
  readPartition,
  replaceByArchive,
} from './archive-partition.ts';
export { completedQuery, statementDigest } from './completed-query.ts';
export { countEvents, exportEvents } from './export-events.ts';
export { findSignedHead } from './find-signed-head.ts';
export { type HeadKeys, headKeys } from './head-signature.ts';
export { listEvents } from './list-events.ts';
export { addMonths } from './partitions.ts';
export { insertEvent, insertEvents, type NewEvent, recordEvent, recordEvents } from './record-event.ts';
export { type RekeyedHead, rekeyHead } from './rekey-head.ts';
export { acceptLog, type SealedBatch, type SealingOptions, sealEvents } from './seal-events.ts';
export type { EventFilter } from './select-events.ts';
export { verifyChain } from './verify-chain.ts';
