import type { LiveEvent } from './records.ts';
import type { CallOptions } from './request.ts';
import { Resource } from './resource.ts';
import { serverSentEvents } from './server-sent-events.ts';
import { split } from './split.ts';

/** A message of the stream, with the id to resume after it. */
export type StreamedEvent = LiveEvent & { event_id: string | null };

/** What changes in an environment, as it happens. */
export class Events extends Resource {
  /**
   * Streams what changes in an environment until the service ends the connection. Messages name what changed, and the
   * other methods read it. `lastEventId` resumes after a message (its `event_id`).
   */
  async *stream(
    env: string,
    options: CallOptions & { lastEventId?: string | undefined } = {},
  ): AsyncGenerator<StreamedEvent, void, undefined> {
    const { call, rest } = split(options);
    const resume = rest.lastEventId === undefined ? {} : { 'last-event-id': rest.lastEventId };
    const pieces = await this.call.stream('events.stream', {
      ...call,
      headers: { accept: 'text/event-stream', ...call.headers, ...resume },
      query: { environment: env },
    });
    for await (const { data, id } of serverSentEvents(pieces))
      yield { ...(JSON.parse(data) as LiveEvent), event_id: id };
  }
}
