import { shellArgument } from '@svc/core/command-lines';

/** What a client of the PostgreSQL protocol needs to connect. */
export interface Connection {
  host: string;
  port: number;
  /** Whether the connection is encrypted. */
  tls: boolean;
  user: string;
  database: string;
  /** A token; null if the reader must add it, or the password. */
  password: string | null;
}

/** How to connect, by the kind of client. */
const TEXTS = {
  psql: (to) => `${password(to, (text) => `PGPASSWORD=${shellArgument(text)} `)}psql ${shellArgument(url(to, null))}`,
  url: (to) => url(to, to.password),
  jdbc: jdbcUrl,
  odbc: odbcString,
  python: pythonLines,
  node: nodeLines,
  env: exports,
} satisfies Record<string, (to: Connection) => string>;

export const CONNECTION_FORMS = Object.keys(TEXTS) as ConnectionForm[];
export type ConnectionForm = keyof typeof TEXTS;

/** A text that a person pastes: one or more lines. */
export const connectionText = (form: ConnectionForm, to: Connection): string => TEXTS[form](to);

/** As in libpq: `prefer` connects without TLS if the server has no certificate. */
export const sslModeOf = ({ tls }: Pick<Connection, 'tls'>): 'require' | 'prefer' => (tls ? 'require' : 'prefer');

function url({ host, port, tls, user, database }: Connection, secret: string | null): string {
  const credentials = secret === null ? percentEncoded(user) : `${percentEncoded(user)}:${percentEncoded(secret)}`;
  const mode = tls ? '?sslmode=require' : '';
  return `postgresql://${credentials}@${urlHost(host)}:${port}/${percentEncoded(database)}${mode}`;
}

function jdbcUrl(to: Connection): string {
  const properties = [
    `user=${percentEncoded(to.user)}`,
    ...(to.password === null ? [] : [`password=${percentEncoded(to.password)}`]),
    ...(to.tls ? ['sslmode=require'] : []),
  ];
  return `jdbc:postgresql://${urlHost(to.host)}:${to.port}/${percentEncoded(to.database)}?${properties.join('&')}`;
}

function odbcString(to: Connection): string {
  const attributes = {
    Driver: '{PostgreSQL Unicode}',
    Server: odbcValue(to.host),
    Port: String(to.port),
    Database: odbcValue(to.database),
    Uid: odbcValue(to.user),
    ...(to.password === null ? {} : { Pwd: odbcValue(to.password) }),
    ...(to.tls ? { SSLmode: 'require' } : {}),
  };
  return Object.entries(attributes)
    .map(([name, value]) => `${name}=${value};`)
    .join('');
}

/** In braces if it has characters with a meaning in connection strings of ODBC. */
const odbcValue = (text: string): string =>
  /[[\]{}(),;?*=!@\s]/.test(text) ? `{${text.replaceAll('}', '}}')}}` : text;

function pythonLines(to: Connection): string {
  const secret = to.password === null ? 'getpass.getpass("Token or password: ")' : literal(to.password);
  const parameters = [
    `host=${literal(to.host)}`,
    `port=${to.port}`,
    `user=${literal(to.user)}`,
    `dbname=${literal(to.database)}`,
    ...(to.tls ? ['sslmode="require"'] : []),
    `password=${secret}`,
  ];
  return [
    ...(to.password === null ? ['import getpass', ''] : []),
    'import psycopg',
    '',
    `connection = psycopg.connect(${parameters.join(', ')})`,
  ].join('\n');
}

function nodeLines(to: Connection): string {
  const options = [
    `host: ${literal(to.host)}`,
    `port: ${to.port}`,
    `user: ${literal(to.user)}`,
    `database: ${literal(to.database)}`,
    ...(to.tls ? ['ssl: true'] : []),
    `password: ${to.password === null ? 'process.env.PGPASSWORD' : literal(to.password)}`,
  ];
  return ["import pg from 'pg';", '', `const client = new pg.Client({ ${options.join(', ')} });`].join('\n');
}

function exports(to: Connection): string {
  const variables = {
    PGHOST: to.host,
    PGPORT: String(to.port),
    PGUSER: to.user,
    PGDATABASE: to.database,
    PGSSLMODE: sslModeOf(to),
    ...(to.password === null ? {} : { PGPASSWORD: to.password }),
  };
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${shellArgument(value)}`)
    .join('\n');
}

const password = (to: Connection, text: (secret: string) => string): string =>
  to.password === null ? '' : text(to.password);

/** Also encodes the characters that `encodeURIComponent` leaves as they are and that shells and quotes interpret. */
const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : percentEncoded(host));

/** A string in Python and JavaScript: both understand the escapes of JSON. */
const literal = (text: string): string => JSON.stringify(text);
