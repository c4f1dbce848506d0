import { type Change, changeOf, NOTHING } from '@svc/core/events';
import type { Database } from '@svc/db/connection';
import { lastSequence, type NumberedChange, type Progress, readChanges, readProgress } from '@svc/db/events';
import type { Logger } from 'pino';

/** A change and the environment that it belongs to; null for one that concerns all of them. */
export interface PlacedChange {
  readonly environmentId: string | null;
  readonly change: Change;
}

const BATCH = 1000;
/** Announcements that arrive within this time are read together. */
const COLLECT_MS = 100;
/** Announcements may be lost. */
const POLL_MS = 5000;
const MAX_PROGRESS = 1000;

/** Reads what changes for all streams of this process: sealed events in their order, and the progress of work. */
export class ChangeSource {
  /** The number of the last event that was delivered. */
  position = 0;
  readonly #deps: { db: Database; log: Logger };
  readonly #deliver: (changes: readonly PlacedChange[], position: number) => void;
  readonly #progress = new Set<string>();
  #stops: (() => Promise<void>)[] = [];
  #poll: NodeJS.Timeout | undefined;
  #due: NodeJS.Timeout | null = null;
  #reading = false;
  /** Whether something was announced while changes were being read, which may not have seen it. */
  #again = false;
  #stopped = false;

  constructor(
    deps: { db: Database; log: Logger },
    deliver: (changes: readonly PlacedChange[], position: number) => void,
  ) {
    this.#deps = deps;
    this.#deliver = deliver;
  }

  async start(): Promise<void> {
    const { db } = this.#deps;
    try {
      this.#stops.push(await db.listen('svc_sealed', () => this.#wake()));
      this.#stops.push(await db.listen('svc_progress', (payload) => this.#collect(payload)));
      this.position = await lastSequence(db.prisma);
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.#poll = setInterval(() => this.#wake(), POLL_MS);
    this.#poll.unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    if (this.#due !== null) clearTimeout(this.#due);
    for (const stop of this.#stops.splice(0)) await stop();
  }

  #collect(payload: string | null): void {
    if (payload !== null && this.#progress.size < MAX_PROGRESS) this.#progress.add(payload);
    this.#wake();
  }

  #wake(): void {
    if (this.#reading) this.#again = true;
    if (this.#stopped || this.#due !== null || this.#reading) return;
    this.#due = setTimeout(() => void this.#read(), COLLECT_MS);
    this.#due.unref();
  }

  async #read(): Promise<void> {
    const { prisma } = this.#deps.db;
    this.#due = null;
    this.#reading = true;
    this.#again = false;
    try {
      for (let more = true; more && !this.#stopped; ) {
        const changes = await readChanges(prisma, { after: this.position, limit: BATCH });
        this.position = changes.at(-1)?.sequence ?? this.position;
        this.#deliver(changes.flatMap(placed), this.position);
        more = changes.length === BATCH;
      }
      const payloads = [...this.#progress];
      this.#progress.clear();
      const progress = await readProgress(prisma, payloads);
      this.#deliver(progress.map(progressed), this.position);
    } catch (error) {
      if (!this.#stopped) this.#deps.log.warn({ err: error }, 'the changes for streams of events could not be read');
    }
    this.#reading = false;
    if (this.#again) this.#wake();
  }
}

/** The change that an event of the audit log records, if pages show it. */
export function placed(recorded: NumberedChange): PlacedChange[] {
  const change = changeOf(recorded);
  if (change === null) return [];
  return [{ environmentId: change.readers.of === 'access' ? null : recorded.environmentId, change }];
}

export function progressed({ kind, id, environmentId, requestedBy, repository }: Progress): PlacedChange {
  const change: Change =
    kind === 'runs'
      ? { event: { ...NOTHING, kind: 'run', id }, readers: { of: 'run', requestedBy } }
      : { event: { ...NOTHING, kind: 'deploy', id, name: repository }, readers: { of: 'environment' } };
  return { environmentId, change };
}
