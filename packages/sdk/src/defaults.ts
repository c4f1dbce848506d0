/** Address of a service on this machine. */
export const DEFAULT_URL = 'http://127.0.0.1:8470';
