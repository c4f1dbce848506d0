/** The logger interface of this package; pino implements it. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Discards everything; for tools and tests. */
export const silent: Log = { info: () => {}, warn: () => {} };
