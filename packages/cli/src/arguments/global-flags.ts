import { boolean, string } from '@oclif/core/flags';

const OUTPUT_FORMATS = ['text', 'json', 'ndjson'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Options of every command. */
export const globalFlags = {
  output: string({
    char: 'o',
    description: 'output format: text for people, json for programs, or ndjson with one line per row',
    options: [...OUTPUT_FORMATS],
    default: 'text',
    helpValue: 'FORMAT',
    helpGroup: 'GLOBAL',
  }),
  json: boolean({ description: 'same as --output json', helpGroup: 'GLOBAL' }),
  format: string({
    description: 'same as --output, for commands without their own --format',
    options: [...OUTPUT_FORMATS],
    helpValue: 'FORMAT',
    helpGroup: 'GLOBAL',
    hidden: true,
  }),
  url: string({
    description: 'address of the service (default: SVC_URL, then the profile)',
    helpValue: 'URL',
    helpGroup: 'GLOBAL',
  }),
  'service-url': string({
    description: 'address of the service, for commands with their own --url',
    helpValue: 'URL',
    helpGroup: 'GLOBAL',
    hidden: true,
  }),
  profile: string({
    description: 'saved sign-in to use (default: SVC_PROFILE, then default)',
    helpValue: 'NAME',
    helpGroup: 'GLOBAL',
  }),
  'allow-insecure': boolean({
    description: 'send the token over http to other machines (default: SVC_ALLOW_INSECURE, then the profile)',
    helpGroup: 'GLOBAL',
  }),
  debug: boolean({ description: 'print each request on standard error, without credentials', helpGroup: 'GLOBAL' }),
};
