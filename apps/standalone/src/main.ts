import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { readSettings, SettingError } from '@svc/core/settings';
import { pino } from 'pino';
import { removePid, writePid } from './background.ts';
import { startService } from './service.ts';

/** `npm start`: the whole service in one command, in the foreground until it is told to stop. */
async function main(): Promise<void> {
  const settings = readSettings(process.env, (path) => readFileSync(path, 'utf8'));
  const log = pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: true }));
  const service = await startService(settings, log);
  writePid(settings);
  const token = relative(process.cwd(), service.home.tokenFile);
  process.stdout.write(
    [
      `svc is ready at ${service.url}`,
      `  guides and reference   ${service.url}/docs`,
      `  administrator's token  ${settings.bootstrapToken === undefined ? token : 'as given in SVC_BOOTSTRAP_TOKEN'}`,
      ...service.notes.map((note) => `  note: ${note}`),
      '  stop it with Ctrl-C',
      '',
    ].join('\n'),
  );
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    void service.stop().then(() => {
      removePid(settings);
      process.exit(0);
    });
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

main().catch((error: unknown) => {
  const known =
    error instanceof SettingError ||
    (error instanceof Error && /Error$/.test(error.name) && error.name !== 'Error' && error.name !== 'TypeError');
  process.stderr.write(
    `svc could not start: ${error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error)}\n`,
  );
  process.exit(1);
});
