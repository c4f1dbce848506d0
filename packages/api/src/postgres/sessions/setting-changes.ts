import type { MessageSink } from '../wire/message-sink.ts';
import { parameterStatus } from '../wire/server-message.ts';
import type { SettingChange } from './settings.ts';

/** Informs the client about new values, and returns the warnings. */
export function reportChanges(sink: MessageSink, changes: readonly SettingChange[]): string[] {
  for (const { reported } of changes) if (reported !== null) sink.send(parameterStatus(...reported));
  return changes.flatMap(({ warning }) => (warning === null ? [] : [warning]));
}
