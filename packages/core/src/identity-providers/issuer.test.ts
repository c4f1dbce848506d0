import { issuerFailure } from './index.ts';

test.each([
  'https://id.example.com',
  'https://id.example.com/',
  'https://id.example.com/realms/corp',
  'https://id.example.com:8443/realms/corp/',
  'https://10.0.0.8',
  'http://localhost:8080/realms/corp',
  'http://127.0.0.1:8080',
  'http://[::1]:8080',
])('%s is an issuer (SSO-2)', (text) => expect(issuerFailure(text)).toBeNull());

test.each([
  ['', 'must be the URL'],
  ['id.example.com', 'must be the URL'],
  ['ftp://id.example.com', 'must be the URL'],
  ['https:\\\\id.example.com', 'must be the URL'],
  ['https://id.example.com/ä', 'must be the URL'],
  [' https://id.example.com', 'must be the URL'],
  ['https://', 'must be the URL'],
  ['https://user:secret@id.example.com', 'must not contain a user name'],
  ['https://id.example.com?a=b', 'must not contain "?"'],
  ['https://id.example.com#a', 'must not contain "?"'],
  ['https://ID.example.com', 'must be written in normal form: https://id.example.com'],
  ['https://id.example.com:443/a', 'must be written in normal form: https://id.example.com/a'],
  ['https://id.example.com/a/../b', 'must be written in normal form: https://id.example.com/b'],
  ['https://169.254.169.254', 'link-local or metadata'],
  ['https://[fe80::1]', 'link-local or metadata'],
  ['http://id.example.com', 'must start with https://'],
  ['http://10.0.0.8', 'must start with https://'],
  [`https://id.example.com/${'a'.repeat(1024)}`, 'at most 1024'],
])('%j is not an issuer (SSO-2)', (text, message) => expect(issuerFailure(text)).toContain(message));
