import { shellCommand, shellOption } from '@svc/core/command-lines';

/** The next commands after an index got a credential secret. Sends no requests. */
export function credentialHint(index: string, secret: string): string[] {
  const indexOption = shellOption('index', index);
  return [
    `Create the secret ${secret} in each environment that doesn't have it; the command reads {"username": "…", "password": "…"} from standard input:`,
    `  ${shellCommand('svc secret create', secret, ['--env ENV', '--values-stdin', indexOption])}`,
    "If it exists but isn't bound to this index, bind it:",
    `  ${shellCommand('svc secret bind', secret, ['--env ENV', indexOption])}`,
  ];
}
