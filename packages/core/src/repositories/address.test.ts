import { repositoryAddress } from './address.ts';

test.each([
  'https://169.254.169.254/a.git',
  'https://2852039166/a.git',
  'https://0xa9fea9fe:8443/a.git',
  'https://0251.0376.0251.0376/a.git',
  'https://[::ffff:169.254.169.254]/a.git',
  'https://[64:ff9b::a9fe:a9fe]/a.git',
  'https://[2002:a9fe:a9fe::1]/a.git',
  'https://[fe80::1]/a.git',
  'https://[fd00:ec2::254]/a.git',
  'https://100.100.100.200/a.git',
  'https://168.63.129.16/a.git',
  'ssh://git@169.254.169.254/a.git',
  'ssh://git@0xa9fea9fe/a.git',
  'ssh://git@2852039166/a.git',
  'ssh://git@169.254.43518/a.git',
  'ssh://git@%31%36%39.254.169.254/a.git',
  'ssh://git@[::ffff:a9fe:a9fe]:22/a.git',
  'ssh://[64:ff9b::6464:64c8]/a.git',
])('%s leads to a metadata address', (url) => {
  expect(repositoryAddress(url, [])).toMatch(/^must not be a link-local or metadata address/);
});

test.each([
  'https://10.0.0.8/a.git',
  'ssh://git@127.0.0.1:2222/a.git',
  'https://git.example.org/a.git',
  'https://[fd00::1]/a',
])('%s may be registered (DEPLOY-14)', (url) => expect(repositoryAddress(url, [])).toBeNull());
