import { cannotListen, SettingError } from './index.ts';

const address = { host: '127.0.0.1', port: 8470 };

test.each([
  [
    'EADDRINUSE',
    address,
    'Address 127.0.0.1:8470 is already in use, perhaps by another svc. Stop that program, or set',
  ],
  ['EADDRINUSE', { host: '::1', port: 1 }, 'Address [::1]:1 is already in use'],
  [
    'EACCES',
    { ...address, port: 80 },
    "This user can't listen on 127.0.0.1:80. Set SVC_LISTEN to a port of 1024 or higher.",
  ],
  [
    'EADDRNOTAVAIL',
    { ...address, host: '192.0.2.1' },
    '192.0.2.1 is not an address of this machine. Set SVC_LISTEN to one',
  ],
  ['ENOTFOUND', { ...address, host: 'nowhere' }, 'nowhere is not an address of this machine. Set SVC_LISTEN to one'],
  ['EMFILE', address, "Can't listen on 127.0.0.1:8470 (EMFILE). Set SVC_LISTEN to another address."],
])('%s of %j is reported with a remedy', (code, at, sentence) => {
  const message = cannotListen('SVC_LISTEN', at, Object.assign(new Error('listen'), { code }));
  expect(message).toBeInstanceOf(SettingError);
  expect(message.message).toContain(sentence);
});
