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
        `Another program listens on ${address} already, perhaps this one. Stop it, or set ${setting} to another address.`,
      );
    case 'EACCES':
      return new SettingError(`This user may not listen on ${address}. Set ${setting} to a port from 1024 on.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new SettingError(
        `${host} is no address of this machine. Set ${setting} to one that is, such as 127.0.0.1:${port}.`,
      );
    default:
      return new SettingError(
        `${address} cannot be listened on (${code ?? message}). Set ${setting} to another address.`,
      );
  }
}
