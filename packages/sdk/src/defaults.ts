/** Address of a service on this machine. */
export const DEFAULT_URL = 'http://127.0.0.1:8470';

/** Timeout of one attempt in milliseconds. */
export const DEFAULT_TIMEOUT = 60_000;
export const DEFAULT_RETRIES = 2;
