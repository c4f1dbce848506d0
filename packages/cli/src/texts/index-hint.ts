import { named, option } from '../output/quote.ts';

/** How to finish after a secret was named for an index; nothing is looked up for it (specification 4.2). */
export function credentialHint(index: string, secret: string): string[] {
  const holder = option('index', index);
  return [
    `In each environment that lacks the secret ${secret}, create it; it reads {"username": "…", "password": "…"} from standard input:`,
    `  ${named('svc secret create', secret, '--env ENV', '--values-stdin', holder)}`,
    'Where it exists but is not bound to this index, bind it:',
    `  ${named('svc secret bind', secret, '--env ENV', holder)}`,
  ];
}
