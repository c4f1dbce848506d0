import * as z from 'zod';
import { decided, endpoint } from '../contract/index.ts';

/** What a message of the stream reports as changed, besides `ready` and `reset`. */
export const CHANGE_KINDS = ['run', 'job', 'deploy', 'table', 'namespace', 'query', 'environment', 'access'] as const;

/** Messages say what changed, never how: clients read it again through its own route. */
export const liveEventSchema = z
  .object({
    kind: z.enum(['ready', 'reset', ...CHANGE_KINDS]).meta({
      description:
        'What changed; `ready`: from now on no change is missed; `reset`: anything may have changed since the last message',
    }),
    id: z.uuid().nullable().meta({ description: 'Of a run, deploy or query' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Of a table (`<namespace>.<table>`), a namespace, a job, or the repository of a deploy' }),
    repository: z.string().nullable().meta({ description: 'Of a job' }),
  })
  .meta({ id: 'LiveEvent' });
export type LiveEvent = z.infer<typeof liveEventSchema>;

export const liveEventEndpoints = {
  stream: endpoint({
    id: 'events.stream',
    method: 'GET',
    path: '/api/v1/events/stream',
    summary:
      'Stream what changes in an environment as server-sent events; the header Last-Event-ID resumes after a message',
    needs: decided(
      'any action in the environment; a message is sent only while the caller can read what it names. Task tokens are rejected',
      'READ_ENVIRONMENT',
      'READ_NAMESPACE',
      'READ_TABLE',
      'RUN',
    ),
    query: z.strictObject({ environment: z.string().meta({ description: 'Name of the environment' }) }),
    response: { status: 200, stream: ['text/event-stream'] },
    errors: ['not-found', 'environment-deleted', 'too-many-requests', 'shutting-down'],
  }),
};
