import { readFileSync } from 'node:fs';
import { SvcClient } from './index.ts';

// The methods of the public contract (vectors/specified.json), in camelCase; the vectors test their requests.
const file = new URL('../../../vectors/specified.json', import.meta.url);
const specified = JSON.parse(readFileSync(file, 'utf8')) as { from: string; python: string; typescript: string }[];
const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

test.each(specified.map(({ typescript, python }) => [typescript, python] as const))('%s is there', (name, python) => {
  expect(name).toBe(camelCase(python));
  const [resource = '', method = ''] = name.split('.');
  const client = new SvcClient({ url: 'http://svc.test', token: 't' }) as unknown as Record<
    string,
    Record<string, unknown>
  >;
  expect(typeof client[resource]?.[method]).toBe('function');
});
