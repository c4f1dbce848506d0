import { appendLog, type NewLogLine } from '@svc/db/runs';
import type { WorkerDeps } from '../work/deps.ts';

const FLUSH_MS = 200;
const FLUSH_LINES = 500;
const MAX_LINE = 16_384;
const MAX_LINES = 200_000;
const MAX_CHARACTERS = 64_000_000;

/** Writes a run's log in order and in small batches, with limits on the number and length of lines. */
export class RunLogger {
  private waiting: NewLogLine[] = [];
  private timer: NodeJS.Timeout | undefined;
  private written = 0;
  private characters = 0;
  private flushing: Promise<void> = Promise.resolve();
  private readonly deps: WorkerDeps;
  private readonly runId: string;

  constructor(deps: WorkerDeps, runId: string) {
    this.deps = deps;
    this.runId = runId;
  }

  line(asset: string | null, stream: NewLogLine['stream'], text: string): void {
    if (this.full) return;
    const cut = text.slice(0, MAX_LINE);
    this.written++;
    this.characters += cut.length;
    const over = this.full;
    const line = over ? `the log is truncated here: more than ${MAX_LINES} lines or ${MAX_CHARACTERS} characters` : cut;
    this.waiting.push({ asset, stream: over ? 'service' : stream, time: this.deps.clock(), line });
    if (this.waiting.length >= FLUSH_LINES) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  private get full(): boolean {
    return this.written > MAX_LINES || this.characters > MAX_CHARACTERS;
  }

  /** Writes the buffered lines. A log that can't be written doesn't fail the run. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const lines = this.waiting;
    this.waiting = [];
    this.flushing = this.flushing
      .then(() => appendLog(this.deps.db.prisma, { runId: this.runId, lines }))
      .catch((error: unknown) => this.deps.log.warn({ err: error, run: this.runId }, "couldn't store log lines"));
    return this.flushing;
  }
}
