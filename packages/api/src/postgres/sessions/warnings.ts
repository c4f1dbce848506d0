import type { MessageSink } from '../wire/message-sink.ts';
import { report } from '../wire/server-message.ts';

/** Warnings precede the result of their statement. */
export function sendWarnings(sink: MessageSink, warnings: readonly string[]): void {
  for (const message of warnings) sink.send(report({ severity: 'WARNING', code: '01000', message }));
}
