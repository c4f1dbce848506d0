import { quoted } from '../output/quote.ts';

const named = (flag: string, value: string) =>
  value.startsWith('-') ? `--${flag}=${quoted(value)}` : `--${flag} ${quoted(value)}`;
const words = (verb: string, secret: string, options: string) =>
  secret.startsWith('-')
    ? `svc secret ${verb} ${options} -- ${quoted(secret)}`
    : `svc secret ${verb} ${quoted(secret)} ${options}`;

/** How to finish after a secret was named for an index; nothing is looked up for it (specification 4.2). */
export function credentialHint(index: string, secret: string): string[] {
  const holder = named('index', index);
  return [
    `In each environment that lacks the secret ${secret}, create it; it reads {"username": "…", "password": "…"} from standard input:`,
    `  ${words('create', secret, `--env ENV --values-stdin ${holder}`)}`,
    'Where it exists but is not bound to this index, bind it:',
    `  ${words('bind', secret, `--env ENV ${holder}`)}`,
  ];
}
