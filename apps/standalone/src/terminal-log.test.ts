import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { logFileOf, terminalLog } from './terminal-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('every line goes to the file, and warnings and errors as text to the terminal (SERVICE-7)', () => {
  const settings = { home: join(folder, 'new', 'home') };
  const shown: string[] = [];
  let stopping = false;
  const log = pino({}, terminalLog(settings, { show: (text) => shown.push(text), isStopping: () => stopping }));
  log.info('fine');
  log.warn({ name: 'x' }, 'name \u001b[31m');
  log.error({ err: new Error('it broke') }, 'a sweep failed');
  log.error(new Error('alone'));
  stopping = true;
  log.warn('lost a connection');
  log.fatal('really');
  expect(shown).toEqual([
    'warning: name \\x1b[31m\n',
    'error: a sweep failed: it broke\n',
    'error: alone\n',
    'error: really\n',
  ]);
  const file = logFileOf(settings);
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(6);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
