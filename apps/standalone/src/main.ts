import { relative } from 'node:path';
import { runProcess } from '@svc/instance/process';
import { pino } from 'pino';
import { removePid, writePid } from './background.ts';
import { startService, version } from './service.ts';

/** `npm start`: the whole service in one command, in the foreground until it receives a signal to stop. */
await runProcess({
  service: 'svc',
  subject: 'svc',
  version,
  logTo: pino.destination({ dest: 2, sync: true }),
  start: async ({ settings, log, traces, shutdown }) => {
    let isReady = false;
    shutdown.add(async () => {
      // Another service may run on the same home folder if this one never started.
      if (isReady) removePid(settings);
    });
    const service = await startService(settings, log, { traces });
    shutdown.add(service.stop);
    writePid(settings);
    isReady = true;
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
  },
});
