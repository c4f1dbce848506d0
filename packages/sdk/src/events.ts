import { ConnectionError } from './errors.ts';
import { watched } from './quiet.ts';
import type { LiveEvent } from './records.ts';
import type { CallOptions } from './request.ts';
import { Resource } from './resource.ts';
import { serverSentEvents } from './server-sent-events.ts';
import { split } from './split.ts';

/** The service sends something every 15 seconds. Without three of these signs of life, the connection is lost. */
const MAX_QUIET_MS = 45_000;

/** A message of the stream, with the id to resume after it. */
export type StreamedEvent = LiveEvent & { event_id: string | null };

/** What changes in an environment, as it happens. */
export class Events extends Resource {
  /**
   * Streams what changes in an environment until the service ends the connection. Messages name what changed, and the
   * other methods read it. `lastEventId` resumes after a message (its `event_id`). Throws a ConnectionError if the connection
   * breaks off, or nothing arrives for 45 seconds.
   */
  async *stream(
    env: string,
    options: CallOptions & { lastEventId?: string | undefined } = {},
  ): AsyncGenerator<StreamedEvent, void, undefined> {
    const { call, rest } = split(options);
    const resume = rest.lastEventId === undefined ? {} : { 'last-event-id': rest.lastEventId };
    // `AbortSignal.any` doesn't exist in all browsers that the console supports.
    const stop = new AbortController();
    const pass = () => stop.abort(call.signal?.reason);
    if (call.signal?.aborted) pass();
    call.signal?.addEventListener('abort', pass, { once: true });
    const onQuiet = () => {
      const seconds = MAX_QUIET_MS / 1000;
      stop.abort(new ConnectionError(`The service has sent nothing for ${seconds} s.`, { code: 'connection-failed' }));
    };
    try {
      const pieces = await this.call.stream('events.stream', {
        ...call,
        signal: stop.signal,
        headers: { accept: 'text/event-stream', ...call.headers, ...resume },
        query: { environment: env },
      });
      for await (const { data, id } of serverSentEvents(watched(pieces, MAX_QUIET_MS, onQuiet)))
        yield { ...(JSON.parse(data) as LiveEvent), event_id: id };
    } finally {
      call.signal?.removeEventListener('abort', pass);
    }
  }
}
