import { relative } from 'node:path';
import type { SqlAddress } from '@svc/core/sql-endpoint';
import { runProcess } from '@svc/instance/process';
import { pino } from 'pino';
import { removePid, writePid } from './background.ts';
import { startService, version } from './service.ts';
import { logFileOf, terminalLog } from './terminal-log.ts';

/** Whether a person watches. Otherwise, the log goes to standard error. */
const isTerminal = Boolean(process.stdout.isTTY && process.stderr.isTTY);
const print = (text: string): void => void process.stdout.write(text);
let isStopping = false;

/** `npm start`: the whole service in one command, in the foreground until it receives a signal to stop. */
await runProcess({
  service: 'svc',
  subject: 'svc',
  version,
  logTo: (settings) =>
    isTerminal
      ? terminalLog(settings, { show: print, isStopping: () => isStopping })
      : pino.destination({ dest: 2, sync: true }),
  start: async ({ settings, log, traces, shutdown }) => {
    writePid(settings);
    shutdown.add(async () => removePid(settings));
    const logFile = shownPath(logFileOf(settings));
    if (isTerminal) {
      print(`Starting svc ${version} …\n`);
      announceStop(logFile);
    }
    const service = await startService(settings, log, { traces });
    shutdown.add(service.stop);
    // A start at the same moment that failed may have removed the file.
    writePid(settings);
    const token = relative(process.cwd(), service.home.tokenFile);
    print(
      [
        `svc is ready at ${service.url}`,
        `  console                ${service.url}/console`,
        `  guides and reference   ${service.url}/docs`,
        ...(service.sqlAddress === null ? [] : [`  PostgreSQL clients     ${connectHint(service.sqlAddress)}`]),
        `  administrator's token  ${settings.bootstrapToken === undefined ? token : 'as set in SVC_BOOTSTRAP_TOKEN'}`,
        ...(isTerminal ? [`  log                    ${logFile}`] : []),
        ...service.notes.map((note) => `  note: ${note}`),
        '  stop it with Ctrl-C',
        '',
      ].join('\n'),
    );
  },
});

function connectHint({ host, port }: SqlAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port} (how to connect: svc sql connect)`;
}

/** A path below the working folder is shown relative to it. */
function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}

/** Prints that the service stops, which can take some seconds, and whether it did so cleanly. */
function announceStop(logFile: string): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!isStopping) print('\nStopping: running requests and work have up to 20 seconds to complete …\n');
      isStopping = true;
    });
  }
  process.on('exit', (code) => {
    if (isStopping)
      print(code === 0 ? 'Stopped.\n' : `Not everything stopped cleanly. The log has the reason: ${logFile}\n`);
  });
}
