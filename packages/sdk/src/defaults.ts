/** Where a service on this machine listens. */
export const DEFAULT_URL = 'http://127.0.0.1:8470';
