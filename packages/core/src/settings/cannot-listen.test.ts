import { cannotListen, SettingError } from './index.ts';

const address = { host: '127.0.0.1', port: 8470 };

test.each([
  ['EADDRINUSE', address, 'Another program listens on 127.0.0.1:8470 already, perhaps this one. Stop it, or set'],
  ['EADDRINUSE', { host: '::1', port: 1 }, 'Another program listens on [::1]:1 already'],
  [
    'EACCES',
    { ...address, port: 80 },
    'This user may not listen on 127.0.0.1:80. Set SVC_LISTEN to a port from 1024 on.',
  ],
  [
    'EADDRNOTAVAIL',
    { ...address, host: '192.0.2.1' },
    '192.0.2.1 is no address of this machine. Set SVC_LISTEN to one',
  ],
  ['ENOTFOUND', { ...address, host: 'nowhere' }, 'nowhere is no address of this machine. Set SVC_LISTEN to one'],
  ['EMFILE', address, '127.0.0.1:8470 cannot be listened on (EMFILE). Set SVC_LISTEN to another address.'],
])('%s of %j is reported with a remedy', (code, at, sentence) => {
  const told = cannotListen('SVC_LISTEN', at, Object.assign(new Error('listen'), { code }));
  expect(told).toBeInstanceOf(SettingError);
  expect(told.message).toContain(sentence);
});
