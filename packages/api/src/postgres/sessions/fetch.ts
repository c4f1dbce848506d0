import type { SessionStatement } from '../statements/session-statement.ts';
import type { Format } from '../values/index.ts';
import * as server from '../wire/server-message.ts';
import { describeColumns } from './portals.ts';
import { dataRowsTo } from './row-output.ts';
import type { SessionOptions } from './session-options.ts';
import type { StatementRunner } from './statement-runner.ts';
import { verifyToken } from './verify-token.ts';

/** FETCH and MOVE: the next rows of a cursor. @throws SessionError, ServiceError */
export async function fetchRows(
  runner: StatementRunner,
  options: SessionOptions,
  { name, count, isMove }: Extract<SessionStatement, { kind: 'fetch' }>,
  { describe, formats }: { describe: boolean; formats: readonly Format[] },
): Promise<void> {
  runner.transaction.requireUsable();
  const { execution } = runner.portals.get(name);
  await verifyToken(options);
  const { sink } = options;
  const max = count === 'all' ? Number.POSITIVE_INFINITY : count;
  if (describe && !isMove) sink.send(server.rowDescription(describeColumns(execution?.columns ?? [], formats)));
  const write = isMove ? async () => 0 : dataRowsTo(sink, formats);
  const rows = execution?.rows == null ? 0 : await runner.queries.read(execution, max, write);
  sink.send(server.commandComplete(`${isMove ? 'MOVE' : 'FETCH'} ${rows}`));
}
