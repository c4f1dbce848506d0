/** What this package needs of a logger; pino's fits as it is. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** A log that keeps nothing, for tools and tests. */
export const silent: Log = { info: () => {}, warn: () => {} };
