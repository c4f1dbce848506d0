import type { SavedQuery } from '@svc/sdk/browser';
import { svcCommand } from '../text/commands.ts';
import { optionsOf, type ParameterInputs, paramsOf } from './parameters.ts';
import { savedOptionsOf } from './saved/saved-parameters.ts';

interface Written {
  readonly sql: string;
  readonly names: readonly string[];
  readonly inputs: ParameterInputs;
  readonly saved: SavedQuery | undefined;
}

/** The command that runs the statement. */
export function commandOf(env: string, { sql: written, names, inputs, saved }: Written): string {
  const ofSaved = saved?.sql_text === written ? savedOptionsOf(saved.parameters, names, inputs) : null;
  if (saved !== undefined && ofSaved !== null) return svcCommand('sql', null, { env, saved: saved.id, p: ofSaved });
  const sql = written.trim() === '' ? 'select 1' : written.trim();
  const options = optionsOf(names, inputs);
  if (options !== null) return svcCommand('sql', sql, { env, p: options });
  // The command line takes only named values.
  const body = JSON.stringify({ sql, params: paramsOf(names, inputs) });
  return svcCommand('api', ['POST', `environments/${encodeURIComponent(env)}/queries`], { body });
}
