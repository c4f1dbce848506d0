import { Runs as GeneratedRuns } from './generated/runs.ts';
import { jsonLines } from './json-lines.ts';
import type { LogLine } from './records.ts';
import type { CallOptions } from './request.ts';
import { split } from './split.ts';

/** Runs of projects. */
export class Runs extends GeneratedRuns {
  /** Returns the lines of the log; with `follow`, until the run has finished. */
  async *logs(
    env: string,
    id: string,
    options: CallOptions & { follow?: boolean | undefined } = {},
  ): AsyncGenerator<LogLine, void, undefined> {
    const { call, rest } = split(options);
    yield* jsonLines<LogLine>(await this.call.stream('runs.logs', { ...call, params: { env, id }, query: rest }));
  }
}
