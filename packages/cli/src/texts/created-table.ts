import type { CreatedTable } from '@svc/sdk';
import { workError } from '../cli-error.ts';
import type { CommandContext } from '../svc-command.ts';
import { expiresSoonText } from './retention-text.ts';

/** Reports a new table. @throws CliError if its retention was not set, with the command that sets it */
export function reportCreated(command: CommandContext, table: CreatedTable): void {
  command.done(table, `Created the ${table.kind} table ${table.namespace}.${table.name}.`);
  if (table.expires_soon && !command.json) command.note(expiresSoonText(command.environment, table));
  const refused = table.retention_error;
  if (refused === undefined) return;
  throw workError(`The table was created, but its retention was not set: ${refused.detail}`, refused.remedy);
}
