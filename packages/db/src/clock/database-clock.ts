import type { Database } from '../connection/open.ts';

const MEASURE_MS = 10_000;
/** A difference that an operator should correct, in milliseconds. */
const NOTABLE_MS = 1000;
/** Times are rounded to milliseconds. */
const ROUNDING_MS = 1;

export interface ClockOptions {
  readonly db: Pick<Database, 'prisma'>;
  readonly log: { warn(fields: object, message: string): void };
  /** This machine's clock, in milliseconds since 1970. Somebody may set it at any time. */
  readonly system?: () => number;
  /** Milliseconds since any time, which nobody can set. */
  readonly steady?: () => number;
}

/**
 * The database's clock, read without a round trip: the last measurement plus the time that has passed since. Processes compare
 * leases, due times and expirations that others stored, so they must agree on the time. It doesn't follow this machine's clock,
 * which can jump by days when a virtual machine resumes: in the seconds until the next measurement, everything would be due.
 */
export class DatabaseClock {
  private readonly options: ClockOptions;
  private readonly system: () => number;
  private readonly steady: () => number;
  /** What `steady` lacks to this machine's clock; another value means that the clock was set, or that the machine was asleep. */
  private systemAheadMs: number;
  /** What `steady` lacks to the database's clock. */
  private aheadMs: number;
  private reportedMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private measuring: Promise<void> = Promise.resolve();

  private constructor(options: ClockOptions) {
    this.options = options;
    this.system = options.system ?? Date.now;
    this.steady = options.steady ?? (() => performance.now());
    this.systemAheadMs = this.system() - this.steady();
    this.aheadMs = this.systemAheadMs;
  }

  /** Measures the difference, now and then regularly until `stop`. */
  static async open(options: ClockOptions): Promise<DatabaseClock> {
    const clock = new DatabaseClock(options);
    await clock.measure();
    clock.timer = setInterval(() => clock.startMeasuring(), MEASURE_MS).unref();
    return clock;
  }

  readonly now = (): Date => {
    const systemAheadMs = this.system() - this.steady();
    if (Math.abs(systemAheadMs - this.systemAheadMs) >= NOTABLE_MS) {
      this.systemAheadMs = systemAheadMs;
      this.startMeasuring();
    }
    return new Date(this.steady() + this.aheadMs);
  };

  private startMeasuring(): void {
    // While the database is unavailable, the last measurement remains valid.
    this.measuring = Promise.all([this.measuring, this.measure().catch(() => undefined)]).then(() => undefined);
  }

  /**
   * The response doesn't say when the database read its clock, only that it was between sending and receiving. As long as the
   * known difference is possible, it stays, so that the time doesn't jitter with the network.
   */
  async measure(): Promise<void> {
    const sent = this.steady();
    const [row] = await this.options.db.prisma.$queryRaw<{ ms: number }[]>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
    const received = this.steady();
    const [least, greatest] = [row!.ms - received - ROUNDING_MS, row!.ms - sent + ROUNDING_MS];
    this.aheadMs = Math.min(Math.max(this.aheadMs, least), greatest);
    this.systemAheadMs = this.system() - this.steady();
    this.report(Math.round(this.aheadMs - this.systemAheadMs));
  }

  private report(differenceMs: number): void {
    if (Math.abs(differenceMs - this.reportedMs) < NOTABLE_MS) return;
    this.reportedMs = differenceMs;
    this.options.log.warn(
      { differenceMs },
      "this machine's clock differs from the database's, which is used instead: synchronize both",
    );
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.measuring;
  }
}
