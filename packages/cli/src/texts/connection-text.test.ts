import { execFileSync } from 'node:child_process';
import { CONNECTION_FORMS, type Connection, connectionText } from './connection-text.ts';

const PLAIN: Connection = {
  host: '127.0.0.1',
  port: 8471,
  tls: false,
  user: 'admin',
  database: 'dev',
  password: null,
};
const ENCRYPTED: Connection = { ...PLAIN, host: '2001:db8::1', tls: true, password: 'svc_pat_abc' };
const HOSTILE: Connection = {
  ...PLAIN,
  host: 'svc.example.com',
  tls: true,
  user: `o'Brien "Zoë" <z@x.ch> 50% $HOME \`id\` \\ #?&=+:;!*() 🦆`,
  password: `svc_pat_'"$x`,
};

test.each([
  ['on the same machine', PLAIN],
  ['with a certificate and a token', ENCRYPTED],
  ['with a hostile name', HOSTILE],
])('the forms %s', (_, to) => {
  const texts = CONNECTION_FORMS.map((form) => `-- ${form}\n${connectionText(form, to)}`);
  expect(texts.join('\n')).toMatchSnapshot();
});

test.each(['url', 'jdbc'] as const)('%s returns the parts as a URL', (form) => {
  const { username, password, searchParams } = new URL(connectionText(form, HOSTILE).replace(/^jdbc:/, ''));
  const properties = Object.fromEntries(searchParams);
  const credentials = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  expect({ ...(form === 'url' && credentials), ...properties }).toEqual({
    user: HOSTILE.user,
    password: HOSTILE.password,
    sslmode: 'require',
  });
});

test('a shell reads the parts unchanged', () => {
  const shell = (script: string) => execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(shell(`${connectionText('env', HOSTILE)}\nprintf '%s|%s' "$PGUSER" "$PGPASSWORD"`)).toBe(
    `${HOSTILE.user}|${HOSTILE.password}`,
  );
  const psql = connectionText('psql', HOSTILE);
  expect(shell(`psql() { printf '%s|%s' "$PGPASSWORD" "$1"; }\n${psql}`)).toBe(
    `${HOSTILE.password}|${connectionText('url', { ...HOSTILE, password: null })}`,
  );
});

test('Node.js reads the parts unchanged', () => {
  const text = /pg\.Client\((.*)\);$/.exec(connectionText('node', HOSTILE))![1]!;
  expect(new Function(`return ${text}`)()).toEqual({
    ...{ host: HOSTILE.host, port: 8471, user: HOSTILE.user, database: 'dev', ssl: true, password: HOSTILE.password },
  });
});
