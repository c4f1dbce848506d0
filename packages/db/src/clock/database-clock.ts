import type { Database } from '../connection/open.ts';

const MEASURE_MS = 10_000;
/** A difference that an operator should correct, in milliseconds. */
const NOTABLE_MS = 1000;
/** Times are rounded to milliseconds. */
const ROUNDING_MS = 1;

export interface ClockOptions {
  readonly db: Pick<Database, 'prisma'>;
  readonly log: { warn(fields: object, message: string): void };
  /** This machine's clock, in milliseconds since 1970. */
  readonly system?: () => number;
}

/**
 * The database's clock, read without a round trip: this machine's clock plus the last measured difference. Processes compare
 * leases, due times and expirations that others stored, so they must agree on the time.
 */
export class DatabaseClock {
  private readonly options: ClockOptions;
  private readonly system: () => number;
  private differenceMs = 0;
  private reportedMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private measuring: Promise<void> = Promise.resolve();

  private constructor(options: ClockOptions) {
    this.options = options;
    this.system = options.system ?? Date.now;
  }

  /** Measures the difference, now and then regularly until `stop`. */
  static async open(options: ClockOptions): Promise<DatabaseClock> {
    const clock = new DatabaseClock(options);
    await clock.measure();
    clock.timer = setInterval(() => {
      // While the database is unavailable, the last difference remains valid.
      clock.measuring = clock.measure().catch(() => undefined);
    }, MEASURE_MS).unref();
    return clock;
  }

  readonly now = (): Date => new Date(this.system() + this.differenceMs);

  /**
   * The response doesn't say when the database read its clock, only that it was between sending and receiving. As long as the
   * known difference is possible, it stays, so that the time doesn't jitter with the network.
   */
  async measure(): Promise<void> {
    const sent = this.system();
    const [row] = await this.options.db.prisma.$queryRaw<{ ms: number }[]>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
    const received = this.system();
    const [least, greatest] = [row!.ms - received - ROUNDING_MS, row!.ms - sent + ROUNDING_MS];
    this.differenceMs = Math.round(Math.min(Math.max(this.differenceMs, least), greatest));
    this.report();
  }

  private report(): void {
    if (Math.abs(this.differenceMs - this.reportedMs) < NOTABLE_MS) return;
    this.reportedMs = this.differenceMs;
    this.options.log.warn(
      { differenceMs: this.differenceMs },
      "this machine's clock differs from the database's, which is used instead: synchronize both",
    );
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.measuring;
  }
}
