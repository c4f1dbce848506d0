import { string as textArg } from '@oclif/core/args';
import { boolean, integer, string } from '@oclif/core/flags';
import { usage } from '../exit.ts';

/** A required word after the command. */
export const word = (description: string) => textArg({ description, required: true, ignoreStdin: true });
export const optionalWord = (description: string) => textArg({ description, ignoreStdin: true });
export const tableWord = () => word('table, written NAMESPACE.TABLE');

export const envFlag = {
  env: string({ char: 'e', description: 'environment (else SVC_ENV, else the profile)', helpValue: 'ENV' }),
};
export const yesFlag = { yes: boolean({ char: 'y', description: 'do not ask' }) };
export const repoFlag = {
  repo: string({ description: 'repository, where several declare the name', helpValue: 'NAME' }),
};
export const timeoutFlag = {
  timeout: integer({ description: 'stop following after so many seconds', helpValue: 'SECONDS', min: 1 }),
};
export const pageFlags = {
  limit: integer({ description: 'rows in a page, 1 to 200', helpValue: 'N' }),
  cursor: string({ description: 'goes on after an earlier page', helpValue: 'CURSOR' }),
};
export const searchFlags = {
  search: string({ description: 'only names that contain the text', helpValue: 'TEXT' }),
  ...pageFlags,
};
export const breakGlassFlags = {
  'break-glass': boolean({ description: 'change a protected environment outside a run', dependsOn: ['reason'] }),
  reason: string({ description: 'why, for the audit log', helpValue: 'TEXT', dependsOn: ['break-glass'] }),
};
export const scopeFlags = {
  env: string({ description: 'environment of the object', helpValue: 'ENV' }),
  ns: string({ description: 'namespace of the object', helpValue: 'NAMESPACE' }),
  table: string({ description: 'table of the object', helpValue: 'TABLE' }),
};

/** What the SDK takes out of `--break-glass --reason TEXT`. */
export function breakGlassOf(flags: { 'break-glass'?: boolean; reason?: string | undefined }): { breakGlass?: string } {
  return flags['break-glass'] && flags.reason !== undefined ? { breakGlass: flags.reason } : {};
}

/** `<environment>/<namespace>/<table>` as the command line writes an object (specification 2.1). */
export function scopeOfText(text: string | undefined): { environment?: string; namespace?: string; table?: string } {
  if (text === undefined || text === '') return {};
  const [environment, namespace, table, ...rest] = text.split('/');
  if (rest.length > 0 || [environment, namespace, table].includes('')) {
    throw usage(`"${text}" is no scope: write ENVIRONMENT, ENVIRONMENT/NAMESPACE or ENVIRONMENT/NAMESPACE/TABLE.`);
  }
  return {
    ...(environment === undefined ? {} : { environment }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(table === undefined ? {} : { table }),
  };
}
