export const REQUEST_STATES = ['pending', 'approved', 'rejected', 'withdrawn'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** Characters of a reason and of a comment. */
export const MAX_TEXT = 2000;
