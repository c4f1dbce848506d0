import type { CreatedTable } from '@svc/sdk';
import type { Working } from '../command.ts';
import { workFailed } from '../exit.ts';
import { soonText } from './retention-text.ts';

/** Tells of a new table. @throws Failed when its retention was refused, with the command that sets it */
export function tellCreated(command: Working, table: CreatedTable): void {
  command.done(table, `Created the ${table.kind} table ${table.namespace}.${table.name}.`);
  if (table.expires_soon && !command.json) command.note(soonText(command.environment, table));
  const refused = table.retention_error;
  if (refused === undefined) return;
  throw workFailed(`The table stands, without its retention: ${refused.detail}`, refused.remedy);
}
