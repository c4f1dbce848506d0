import { Readable } from 'node:stream';
import { type Change, canRead, type LiveEvent, NOTHING, type Reader, STREAM_TIMES } from '@svc/core/events';
import type { PlacedChange } from './change-source.ts';

export interface StreamOptions {
  readonly environmentId: string;
  readonly principalId: string;
  /** The caller with its rights at this time; null once it may no longer use the stream. */
  readonly check: (needs: RightsNeeded) => Promise<Reader | null>;
  readonly idOf: (position: number) => string;
}

/** The rights that a batch of changes needs. */
export interface RightsNeeded {
  /** Also grants below the environment. */
  readonly all: boolean;
  /** The batch reports changes of rights: those of the caller up to now count as reported. */
  readonly access: boolean;
}

const CREDENTIAL_ONLY: RightsNeeded = { all: false, access: false };

/** Changes that wait for the next batch, after which one `reset` replaces them. */
const MAX_PENDING = 500;
/** Bytes that the client may leave unread. */
const MAX_UNREAD = 64 * 1024;
/** After which time clients connect again. */
const RETRY_MS = 3000;

const READY: LiveEvent = { ...NOTHING, kind: 'ready' };
const RESET: LiveEvent = { ...NOTHING, kind: 'reset' };

/** One client: collects changes, and sends those that its caller can read. */
export class EventStream {
  readonly environmentId: string;
  readonly principalId: string;
  readonly body = new Readable({ read() {} });
  readonly #options: StreamOptions;
  readonly #pending = new Map<string, Change>();
  #resets = false;
  #position = 0;
  #started = false;
  #flushing = false;
  #timer: NodeJS.Timeout | null = null;
  /** When the next batch may follow. */
  #nextAt = 0;

  constructor(options: StreamOptions) {
    this.environmentId = options.environmentId;
    this.principalId = options.principalId;
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.body.destroyed || this.body.readableEnded || this.#ending;
  }
  #ending = false;

  /**
   * Sends `ready`, and from now on what was offered. `from` is the position after which changes were offered; null if
   * the client has to load everything again.
   */
  start(from: number | null): void {
    if (from === null) this.#resets = true;
    this.#started = true;
    this.body.push(`retry: ${RETRY_MS}\n`);
    this.#write([READY], from);
    this.#schedule();
  }

  /** Takes the changes of its environment; with those before, they are all until the position. */
  offer(changes: readonly PlacedChange[], position: number): void {
    this.#position = Math.max(this.#position, position);
    for (const { environmentId, change } of changes)
      if (environmentId === null || environmentId === this.environmentId)
        this.#pending.set(JSON.stringify(change), change);
    if (this.#pending.size > MAX_PENDING) {
      this.#pending.clear();
      this.#resets = true;
    }
    this.#schedule();
  }

  /** Shows that the connection works, and ends the stream if the caller may no longer use it. */
  async beat(): Promise<void> {
    if (!this.#started) return;
    const position = this.#pending.size > 0 || this.#resets || this.#flushing ? null : this.#position;
    if ((await this.#reader(CREDENTIAL_ONLY)) === null || this.isClosed) return;
    this.#push(`:\n${position === null ? '' : `id: ${this.#options.idOf(position)}\n`}\n`);
  }

  /** Ends the response; the client connects again, here or at another server. Before `start`, which still writes, this does nothing. */
  end(): void {
    if (!this.#started || this.isClosed) return;
    this.#ending = true;
    this.body.push(null);
  }

  #schedule(): void {
    if (!this.#started || this.isClosed || this.#flushing || this.#timer !== null) return;
    if (this.#pending.size === 0 && !this.#resets) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        void this.#flush();
      },
      Math.max(0, this.#nextAt - performance.now()),
    );
    this.#timer.unref();
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    const changes = [...this.#pending.values()];
    const [resets, position] = [this.#resets, this.#position];
    this.#pending.clear();
    this.#resets = false;
    const reader = await this.#reader(rightsFor(changes));
    if (reader !== null && !this.isClosed) {
      const events = changes.filter((change) => canRead(reader, change)).map(({ event }) => event);
      const messages = resets ? [RESET] : events;
      if (messages.length > 0) this.#write(messages, position);
    }
    this.#nextAt = performance.now() + STREAM_TIMES.batchMs;
    this.#flushing = false;
    this.#schedule();
  }

  async #reader(needs: RightsNeeded): Promise<Reader | null> {
    if (this.isClosed) return null;
    // If the rights can't be checked, nothing is sent: the client resumes after its last message.
    const reader = await this.#options.check(needs).catch(() => null);
    if (reader === null) this.end();
    return reader;
  }

  /** The id belongs to the last message, so that a client that has received only some of them gets all again. */
  #write(events: readonly LiveEvent[], position: number | null): void {
    const texts = [...new Set(events.map((event) => JSON.stringify(event)))];
    const id = position === null ? '' : `id: ${this.#options.idOf(position)}\n`;
    this.#push(texts.map((text, i) => `${i === texts.length - 1 ? id : ''}data: ${text}\n\n`).join(''));
  }

  #push(text: string): void {
    if (this.body.readableLength > MAX_UNREAD) this.body.destroy();
    else this.body.push(text);
  }
}

function rightsFor(changes: readonly Change[]): RightsNeeded {
  const kinds = new Set(changes.map(({ readers }) => readers.of));
  const access = kinds.has('access');
  return { all: access || kinds.has('namespace') || kinds.has('table'), access };
}
