import { ApiError } from '@svc/core/errors';
import { MAX_REPLAYED, MAX_STREAMS, MAX_STREAMS_PER_PRINCIPAL, STREAM_TIMES } from '@svc/core/events';
import type { Database } from '@svc/db/connection';
import { lastSequence, readActiveRuns, readChanges, sequenceBefore } from '@svc/db/events';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { ChangeSource, placed, progressed } from './change-source.ts';
import { EventStream, type StreamOptions } from './event-stream.ts';
import { positionOfId } from './position.ts';

export interface HubOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly registry: Registry;
  /** Encrypts the ids of messages. */
  readonly key: Buffer;
  readonly heartbeatMs?: number | undefined;
}

const RETRY_AFTER_S = 60;
/** Of an environment, that a new stream reports as changed; with more, it resets. */
const MAX_ACTIVE_RUNS = 100;

/** The streams of this process. They share one reader of the database, which runs while there is a stream. */
export class EventHub {
  readonly #options: HubOptions;
  readonly #streams = new Set<EventStream>();
  #source: Promise<ChangeSource> | null = null;
  #stopping: Promise<void> = Promise.resolve();
  #heartbeat: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: HubOptions) {
    this.#options = options;
    const streams = this.#streams;
    new Gauge({
      name: 'svc_event_streams',
      help: 'Open streams of events',
      registers: [options.registry],
      collect() {
        this.set(streams.size);
      },
    });
  }

  /** Opens a stream that starts after the message with this id, or some seconds ago. @throws ApiError */
  async open(options: StreamOptions, lastEventId: string | undefined): Promise<EventStream> {
    this.#requireSlot(options.principalId);
    const stream = new EventStream(options);
    this.#streams.add(stream);
    stream.body.once('close', () => this.#remove(stream));
    try {
      this.#source ??= this.#start();
      const source = await this.#source;
      stream.start(await this.#replay(stream, source.position, lastEventId));
      // The service may have been stopped while the changes were read.
      if (this.#closed) stream.end();
      return stream;
    } catch (error) {
      stream.body.destroy();
      throw error;
    }
  }

  /** Ends all streams. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const stream of this.#streams) stream.end();
    this.#stop();
    await this.#stopping;
  }

  #requireSlot(principalId: string): void {
    if (this.#closed) throw new ApiError('shutting-down', 'The server is shutting down. Try again.', { retryAfter: 1 });
    const own = [...this.#streams].filter((stream) => stream.principalId === principalId).length;
    if (own < MAX_STREAMS_PER_PRINCIPAL && this.#streams.size < MAX_STREAMS) return;
    const detail =
      own < MAX_STREAMS_PER_PRINCIPAL
        ? `This server has ${MAX_STREAMS} open streams of events, which is the maximum.`
        : `You have ${own} open streams of events, which is the maximum. Close one.`;
    throw new ApiError('too-many-requests', detail, { retryAfter: RETRY_AFTER_S });
  }

  async #start(): Promise<ChangeSource> {
    await this.#stopping;
    const { db, log, heartbeatMs = STREAM_TIMES.heartbeatMs } = this.#options;
    const source = new ChangeSource({ db, log }, (changes, position) => {
      for (const stream of this.#streams) stream.offer(changes, position);
    });
    try {
      await source.start();
    } catch (error) {
      this.#source = null;
      throw error;
    }
    this.#heartbeat = setInterval(() => {
      for (const stream of this.#streams) void stream.beat();
    }, heartbeatMs);
    this.#heartbeat.unref();
    return source;
  }

  #remove(stream: EventStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) this.#stop();
  }

  #stop(): void {
    const source = this.#source;
    this.#source = null;
    clearInterval(this.#heartbeat);
    if (source === null) return;
    const stopped = source.then((started) => started.stop()).catch(() => {});
    this.#stopping = this.#stopping.then(() => stopped);
  }

  /** Offers what has changed after the message until `position`. Returns the start, or null if that is too long ago. */
  async #replay(stream: EventStream, position: number, lastEventId: string | undefined): Promise<number | null> {
    const { db, clock, key } = this.#options;
    const from =
      lastEventId === undefined
        ? await sequenceBefore(db.prisma, {
            since: new Date(clock().getTime() - STREAM_TIMES.overlapMs),
            limit: MAX_REPLAYED,
          })
        : positionOfId(key, lastEventId);
    const active = await readActiveRuns(db.prisma, {
      environmentId: stream.environmentId,
      limit: MAX_ACTIVE_RUNS + 1,
    });
    stream.offer([], position);
    // Another server may have read further than this one.
    if (from !== null && from > position && from <= (await lastSequence(db.prisma))) return from;
    if (from === null || from > position || position - from > MAX_REPLAYED || active.length > MAX_ACTIVE_RUNS)
      return null;
    const changes = await readChanges(db.prisma, { after: from, limit: position - from });
    stream.offer([...changes.flatMap(placed), ...active.map(progressed)], position);
    return from;
  }
}
