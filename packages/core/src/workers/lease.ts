/** The longest lease of a worker's work, in seconds. */
export const MAX_LEASE_SECONDS = 600;
