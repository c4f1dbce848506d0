import { string as textArg } from '@oclif/core/args';
import { boolean, integer, string } from '@oclif/core/flags';
import { usageError } from '../cli-error.ts';

/** A required argument. */
export const requiredArg = (description: string) => textArg({ description, required: true, ignoreStdin: true });
export const optionalArg = (description: string) => textArg({ description, ignoreStdin: true });
/** An id that the service lists; see SvcCommand.fullId. */
export const idArg = (noun: string) =>
  requiredArg(`id of the ${noun}, at least 6 characters of its start or end, or latest`);
export const tableArg = () => requiredArg('table, as NAMESPACE.TABLE');

export const envFlag = {
  env: string({ char: 'e', description: 'environment (default: SVC_ENV, then the profile)', helpValue: 'ENV' }),
};
export const yesFlag = { yes: boolean({ char: 'y', description: 'skip the confirmation prompt' }) };
export const repoFlag = {
  repo: string({ description: 'repository (required if several declare the same name)', helpValue: 'NAME' }),
};
export const timeoutFlag = {
  timeout: integer({
    description: 'maximum time to follow the run, in seconds (default: no limit)',
    helpValue: 'SECONDS',
    min: 1,
  }),
};
export const sinceFlag = (what: string) => ({
  since: string({
    description: `${what}: a time, local unless it has a zone, or a duration until now such as 30m, 2h or 1d`,
    helpValue: 'TIME',
  }),
});
export const untilFlag = {
  until: string({ description: 'end time, exclusive', helpValue: 'TIME' }),
};
export const listFlags = {
  columns: string({
    description: 'columns to show, in this order, separated by commas (default: those that fit)',
    helpValue: 'NAMES',
  }),
};
export const cursorFlag = {
  cursor: string({ description: 'start of the page, as printed by the previous page', helpValue: 'CURSOR' }),
};
export const pageFlags = {
  ...listFlags,
  all: boolean({ description: 'read all pages', aliases: ['all-pages'], exclusive: ['watch'] }),
  limit: integer({ description: 'rows per page, 1 to 200 (default: 100)', helpValue: 'N' }),
  ...cursorFlag,
};
export const searchFlags = {
  search: string({ description: 'text that the names contain, in any letter case', helpValue: 'TEXT' }),
  ...pageFlags,
};
/** How the rows of a query are shown or written. */
export const resultFlags = {
  format: string({
    description:
      'output format; csv, parquet and arrow contain all rows, json is --output json (default: from the extension of --file, otherwise table)',
    options: ['table', 'json', 'csv', 'parquet', 'arrow'],
  }),
  file: string({
    description: 'file to write all rows to, as CSV, Parquet or Arrow',
    helpValue: 'FILE',
  }),
  raw: boolean({
    description: 'with --format csv, write exact values, also those that a spreadsheet would run as a formula',
  }),
  limit: integer({
    description: 'rows to show, 1 to 10000 (default: 100, or 10000 with --output json)',
    helpValue: 'N',
  }),
};
export const breakGlassFlags = {
  'break-glass': boolean({
    description: 'change a protected environment outside a run (audited)',
    dependsOn: ['reason'],
  }),
  reason: string({ description: 'reason, for the audit log', helpValue: 'TEXT', dependsOn: ['break-glass'] }),
};
export const serviceAccountFlag = {
  'service-account': string({ description: 'service account, as the object', helpValue: 'NAME' }),
};
export const atFlag = { at: string({ description: 'time in the past (default: now)', helpValue: 'TIME' }) };
export const scopeFlags = {
  env: string({ description: 'environment of the object', helpValue: 'ENV' }),
  ns: string({ description: 'namespace of the object', helpValue: 'NAMESPACE' }),
  table: string({ description: 'table of the object', helpValue: 'TABLE' }),
  ...serviceAccountFlag,
};
/** The object of `scopeFlags`, as the service names it. */
export const scopeNames = (flags: {
  env?: string | undefined;
  ns?: string | undefined;
  table?: string | undefined;
  'service-account'?: string | undefined;
}) => ({ environment: flags.env, namespace: flags.ns, table: flags.table, service_account: flags['service-account'] });

/** Converts `--break-glass --reason TEXT` to the option of the SDK. */
export function breakGlassOption(flags: { 'break-glass'?: boolean; reason?: string | undefined }): {
  breakGlass?: string;
} {
  return flags['break-glass'] && flags.reason !== undefined ? { breakGlass: flags.reason } : {};
}

/** Parses `<environment>/<namespace>/<table>`, the form of an object on the command line. */
function parseScope(text: string | undefined): { environment?: string; namespace?: string; table?: string } {
  if (text === undefined || text === '') return {};
  const [environment, namespace, table, ...rest] = text.split('/');
  // A table without its environment, such as shop.sales, would be the name of an environment that can't exist.
  if (rest.length > 0 || [environment, namespace, table].includes('') || environment!.includes('.')) {
    throw usageError(
      `Invalid scope "${text}". Use ENVIRONMENT, ENVIRONMENT/NAMESPACE or ENVIRONMENT/NAMESPACE/TABLE, such as dev/shop/sales.`,
    );
  }
  return {
    ...(environment === undefined ? {} : { environment }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(table === undefined ? {} : { table }),
  };
}

/** The object of `--scope` or `--service-account`. */
export function parseObject(flags: { scope?: string | undefined; 'service-account'?: string | undefined }) {
  const account = flags['service-account'];
  return { ...parseScope(flags.scope), ...(account === undefined ? {} : { service_account: account }) };
}
