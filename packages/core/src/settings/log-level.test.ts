import { changeLogLevel } from './log-level.ts';

const open = (level: string) => {
  const messages: string[] = [];
  return { level, messages: messages, warn: (_: object, text: string) => messages.push(text) };
};

test('debug is turned on and off again', () => {
  const log = open('info');
  changeLogLevel(log, {}, String);
  expect(log.level).toBe('debug');
  changeLogLevel(log, {}, String);
  expect(log.level).toBe('info');
});

test('a changed file is read again; an invalid one changes nothing', () => {
  const log = open('info');
  changeLogLevel(log, { SVC_LOG__LEVEL_FILE: '/etc/level' }, () => 'trace\n');
  expect(log.level).toBe('trace');
  changeLogLevel(log, { SVC_LOG__LEVEL_FILE: '/etc/level' }, () => 'loud');
  expect([log.level, log.messages]).toEqual([
    'trace',
    ['log level changed', 'log level not changed: invalid settings'],
  ]);
});
