/** What Trino is started from. */
export interface InstalledTrino {
  readonly java: string;
  readonly home: string;
}

/** Null, after a message, if it can't be fetched. */
export function findTrino(): Promise<InstalledTrino | null>;

/** A running Trino whose catalog of this name is an environment of the service (default: `dev`). */
export function startTrino(
  installed: InstalledTrino,
  options: { url: string; catalog: string; port?: number; environment?: string; token?: string; memory?: string },
): Promise<{ readonly base: string; readonly stop: (signal?: NodeJS.Signals) => Promise<void> }>;
