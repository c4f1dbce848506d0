import { SettingError } from './read-settings.ts';

/** Why a program can't listen on the address of a setting, with a remedy; `error` comes from the operating system. */
export function cannotListen(
  setting: string,
  { host, port }: { readonly host: string; readonly port: number },
  error: unknown,
): SettingError {
  const { code, message } = error as { code?: string; message: string };
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  switch (code) {
    case 'EADDRINUSE':
      return new SettingError(
        `Address ${address} is already in use, perhaps by another svc. Stop that program, or set ${setting} to another address.`,
      );
    case 'EACCES':
      return new SettingError(`This user can't listen on ${address}. Set ${setting} to a port of 1024 or higher.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new SettingError(
        `${host} is not an address of this machine. Set ${setting} to one that is, such as 127.0.0.1:${port}.`,
      );
    default:
      return new SettingError(`Can't listen on ${address} (${code ?? message}). Set ${setting} to another address.`);
  }
}
