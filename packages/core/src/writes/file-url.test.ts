import { isAllowedUrl } from './index.ts';

const ALLOWED = ['https://data.example.com/exports/', 'http://files.example.com/'];

test.each([
  ['https://data.example.com/exports/a.csv', true],
  ['https://data.example.com/exports/a.csv?signature=x', true],
  ['HTTPS://DATA.example.com:443/exports/2026/a.csv', true],
  ['http://files.example.com/a.csv', true],
  ['https://data.example.com/exports', false],
  ['https://data.example.com/exports/../secret.csv', false],
  ['https://data.example.com/exports/%2e%2e/secret.csv', false],
  ['https://data.example.com/exportsX/a.csv', false],
  ['http://data.example.com/exports/a.csv', false],
  ['https://data.example.com:8443/exports/a.csv', false],
  ['https://data.example.com.evil.example/exports/a.csv', false],
  ['https://data.example.com@evil.example/exports/a.csv', false],
  ['https://ann:secret@data.example.com/exports/a.csv', false],
])('%s is allowed: %s (TABLE-21)', (url, expected) => expect(isAllowedUrl(url, ALLOWED)).toBe(expected));
