import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { changeLogLevel, readSettings, SettingError, type Settings } from '@svc/core/settings';
import { type OpenTraces, openTraces } from '@svc/traces/process';
import { type Logger, pino } from 'pino';
import { removePid, writePid } from './background.ts';
import { type Service, startService, version } from './service.ts';

/** `npm start`: the whole service in one command, in the foreground until it receives a signal to stop. */
async function main(): Promise<void> {
  const readText = (path: string) => readFileSync(path, 'utf8');
  const settings = readSettings(process.env, readText);
  const tracing = await openTraces(settings, { service: 'svc', version, log: () => log });
  const mixin = tracing === null ? {} : { mixin: tracing.logged };
  const log = pino({ level: settings.logLevel, ...mixin }, pino.destination({ dest: 2, sync: true }));
  // One request must not end the service for all others.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled error: please report it as a bug'));
  process.on('SIGUSR2', () => changeLogLevel(log, process.env, readText));
  const starting = startService(settings, log, { traces: tracing?.traces });
  stopOnSignal(settings, log, starting, tracing);
  const service = await starting;
  writePid(settings);
  const token = relative(process.cwd(), service.home.tokenFile);
  process.stdout.write(
    [
      `svc is ready at ${service.url}`,
      `  guides and reference   ${service.url}/docs`,
      `  administrator's token  ${settings.bootstrapToken === undefined ? token : 'as set in SVC_BOOTSTRAP_TOKEN'}`,
      ...service.notes.map((note) => `  note: ${note}`),
      '  stop it with Ctrl-C',
      '',
    ].join('\n'),
  );
}

/** From the first moment on: a signal in the middle of the start must not leave the database running alone. */
function stopOnSignal(settings: Settings, log: Logger, starting: Promise<Service>, tracing: OpenTraces | null): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    // A start that fails says so itself and ends the process.
    const end = async (service: Service) => {
      // The log contains the errors; the exit code shows that there were some.
      const clean = await service.stop().then(
        () => true,
        () => false,
      );
      await tracing?.stop();
      removePid(settings);
      process.exit(clean ? 0 : 1);
    };
    starting.then(end, () => {});
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

main().catch((error: unknown) => {
  const known =
    error instanceof SettingError ||
    (error instanceof Error && /Error$/.test(error.name) && error.name !== 'Error' && error.name !== 'TypeError');
  process.stderr.write(
    `svc couldn't start: ${error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error)}\n`,
  );
  process.exit(1);
});
