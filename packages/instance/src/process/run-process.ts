import { readFileSync } from 'node:fs';
import { changeLogLevel, readSettings, SettingError, type Settings } from '@svc/core/settings';
import type { Traces } from '@svc/core/traces';
import { openTraces } from '@svc/traces/process';
import { type DestinationStream, type Logger, pino } from 'pino';
import { Shutdown } from './shutdown.ts';

/** What every process has. */
export interface RunningProcess {
  readonly settings: Settings;
  readonly log: Logger;
  readonly traces: Traces | undefined;
  /** The steps to run when the process receives a signal, or when it can't start. */
  readonly shutdown: Shutdown;
}

export interface ProcessOptions {
  /** The name in traces. */
  readonly service: string;
  /** The start of the message if it can't start, such as "the worker". */
  readonly subject: string;
  readonly version: string;
  /** Opens the destination of the log (default: standard output). */
  readonly logTo?: (settings: Settings) => DestinationStream;
  /** Resolves when the process is ready. */
  readonly start: (process: RunningProcess) => Promise<void>;
}

const readText = (path: string): string => readFileSync(path, 'utf8');

/**
 * Runs a process of the service: reads its settings, opens its log and its traces, starts it, and stops it on SIGINT,
 * SIGTERM or SIGHUP. SIGUSR2 reads the log level again.
 */
export async function runProcess(options: ProcessOptions): Promise<void> {
  try {
    await start(options);
  } catch (error) {
    process.stderr.write(`${options.subject} couldn't start: ${explained(error)}\n`);
    process.exit(1);
  }
}

/**
 * The reader of the output can leave, such as `head` in a pipe or a terminal that is closed. Without a listener, the next write
 * would end the process at once, and leave a database running alone.
 */
function ignoreLostReaders(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}

async function start({ service, version, logTo, start }: ProcessOptions): Promise<void> {
  ignoreLostReaders();
  const settings = readSettings(process.env, readText);
  const tracing = await openTraces(settings, { service, version, log: () => log });
  const mixin = tracing === null ? {} : { mixin: tracing.logged };
  const log = pino({ level: settings.logLevel, ...mixin }, logTo?.(settings) ?? pino.destination(1));
  // One request must not end the process for all others.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled error: please report it as a bug'));
  process.on('SIGUSR2', () => changeLogLevel(log, process.env, readText));
  const shutdown = new Shutdown(log);
  shutdown.add(() => tracing?.stop());
  const starting = start({ settings, log, traces: tracing?.traces, shutdown });
  stopOnSignal(log, starting, shutdown);
  await starting.catch(async (error: unknown) => {
    await shutdown.run().catch(() => undefined);
    throw error;
  });
}

/** From the first moment on: a signal during the start must not leave a database running alone. A closed terminal sends SIGHUP. */
function stopOnSignal(log: Logger, starting: Promise<void>, shutdown: Shutdown): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    // A terminal and npm both send SIGINT.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    // A start that fails reports that itself and ends the process.
    starting
      .then(() => shutdown.run())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop);
}

/** Messages of our own errors suffice; an unexpected error needs its stack. */
function explained(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected = error instanceof SettingError || !(error.name in globalThis);
  return isExpected ? error.message : (error.stack ?? error.message);
}
