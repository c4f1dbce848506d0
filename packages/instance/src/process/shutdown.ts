import type { Logger } from 'pino';

/** The steps that close what a process has opened, in the reverse order. */
export class Shutdown {
  private readonly log: Pick<Logger, 'error'>;
  private readonly steps: (() => Promise<unknown> | undefined)[] = [];

  constructor(log: Pick<Logger, 'error'>) {
    this.log = log;
  }

  add(step: () => Promise<unknown> | undefined): void {
    this.steps.push(step);
  }

  /**
   * Runs each step once, and the next even if one fails.
   *
   * @throws AggregateError if a step failed; the log contains each error
   */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
      try {
        await step();
      } catch (error) {
        this.log.error({ err: error }, 'stopping failed');
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "the service didn't stop cleanly");
  }
}
