import type { SessionStatement } from '../statements/session-statement.ts';
import type { Format } from '../values/index.ts';
import type { MessageSink } from '../wire/message-sink.ts';
import * as server from '../wire/server-message.ts';
import { describeColumns } from './portals.ts';
import { dataRowsTo } from './row-output.ts';
import type { StatementRunner } from './statement-runner.ts';

/** FETCH and MOVE: the next rows of a cursor. @throws SessionError */
export async function fetchRows(
  runner: StatementRunner,
  sink: MessageSink,
  { name, count, isMove }: Extract<SessionStatement, { kind: 'fetch' }>,
  { describe, formats }: { describe: boolean; formats: readonly Format[] },
): Promise<void> {
  runner.requireActive();
  const { execution } = runner.portals.get(name);
  const max = count === 'all' ? Number.POSITIVE_INFINITY : count;
  if (describe && !isMove) sink.send(server.rowDescription(describeColumns(execution?.columns ?? [], formats)));
  const write = isMove ? async () => 0 : dataRowsTo(sink, formats);
  const rows = execution?.rows == null ? 0 : await runner.read(execution, max, write);
  sink.send(server.commandComplete(`${isMove ? 'MOVE' : 'FETCH'} ${rows}`));
}
