/** Open streams of one server, and those of one principal. */
export const MAX_STREAMS = 2000;
export const MAX_STREAMS_PER_PRINCIPAL = 20;

/** Events after which a stream that resumes gets `reset` instead of each change. */
export const MAX_REPLAYED = 1000;

/** Milliseconds. */
export const STREAM_TIMES = {
  /** Between signs of life, each of which checks the credential again. */
  heartbeatMs: 15_000,
  /** Between two batches of messages of a stream. What changes repeatedly in between is sent once. */
  batchMs: 1000,
  /** A new stream starts this far in the past, so that nothing is missed that changed since its client loaded a page. */
  overlapMs: 5000,
};
