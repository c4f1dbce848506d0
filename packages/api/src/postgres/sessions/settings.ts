import { type Token, tokenize } from '@svc/core/statements';
import { SessionError } from './session-error.ts';

/** What a change of a setting causes besides its new value. */
export interface SettingChange {
  /** The name and value that the client is informed about. */
  readonly reported: readonly [name: string, value: string] | null;
  /** Why the value has no effect. */
  readonly warning: string | null;
}

interface Definition {
  readonly byDefault: string;
  /** The name under which the client is informed about its value. */
  readonly reportedAs?: string;
  /** The only values that have an effect, in lower case; others are accepted with a warning or refused. */
  readonly only?: readonly string[];
  readonly refuse?: boolean;
  /** The form in which a value is compared with `only`. */
  readonly spelled?: (value: string) => string;
  readonly readOnly?: boolean;
  readonly check?: (value: string) => boolean;
}

/** PostgreSQL compares encodings by their letters and digits: some drivers even send quotes. */
const lettersAndDigits = (value: string): string => value.replaceAll(/[^a-z0-9]/g, '');
const isDuration = (value: string): boolean => /^\d+\s*(us|ms|s|min|h|d)?$/.test(value);
const isIgnored = (byDefault: string): Definition => ({ byDefault });
const fixed = (byDefault: string, reportedAs?: string): Definition => ({
  byDefault,
  readOnly: true,
  ...(reportedAs && { reportedAs }),
});

/** The settings that clients read or set. Those without `only` and `check` accept any value, which has no effect. */
const SETTINGS: Readonly<Record<string, Definition>> = {
  application_name: { byDefault: '', reportedAs: 'application_name' },
  bytea_output: { byDefault: 'hex', only: ['hex'] },
  client_encoding: {
    byDefault: 'UTF8',
    reportedAs: 'client_encoding',
    only: ['utf8', 'unicode'],
    spelled: lettersAndDigits,
    refuse: true,
  },
  client_min_messages: isIgnored('notice'),
  datestyle: {
    byDefault: 'ISO, MDY',
    reportedAs: 'DateStyle',
    only: ['iso', 'iso, mdy', 'iso,mdy', 'iso, ymd', 'iso, dmy'],
  },
  default_transaction_isolation: isIgnored('read committed'),
  default_transaction_read_only: isIgnored('off'),
  extra_float_digits: isIgnored('1'),
  geqo: isIgnored('on'),
  idle_in_transaction_session_timeout: isIgnored('0'),
  idle_session_timeout: isIgnored('0'),
  in_hot_standby: fixed('off', 'in_hot_standby'),
  integer_datetimes: fixed('on', 'integer_datetimes'),
  intervalstyle: { byDefault: 'postgres', reportedAs: 'IntervalStyle', only: ['postgres'] },
  is_superuser: fixed('off', 'is_superuser'),
  jit: isIgnored('off'),
  lc_collate: fixed('C'),
  lc_ctype: fixed('C'),
  lock_timeout: isIgnored('0'),
  max_identifier_length: fixed('63'),
  max_index_keys: fixed('32'),
  max_connections: fixed('100'),
  quote_all_identifiers: isIgnored('off'),
  row_security: isIgnored('on'),
  search_path: { byDefault: 'public' },
  server_encoding: fixed('UTF8', 'server_encoding'),
  server_version: fixed('', 'server_version'),
  server_version_num: fixed('160003'),
  session_authorization: fixed('', 'session_authorization'),
  standard_conforming_strings: {
    byDefault: 'on',
    reportedAs: 'standard_conforming_strings',
    only: ['on', 'true', '1', 'yes'],
    refuse: true,
  },
  statement_timeout: { byDefault: '0', check: isDuration },
  synchronous_commit: isIgnored('on'),
  timezone: { byDefault: 'UTC', reportedAs: 'TimeZone', only: ['utc', 'etc/utc', 'gmt', 'z', '0', '+00', '+00:00'] },
  transaction: isIgnored(''),
  transaction_isolation: { byDefault: 'read committed', readOnly: true },
  transaction_read_only: isIgnored('off'),
  work_mem: isIgnored('4MB'),
};

/** The version of PostgreSQL whose protocol and catalog clients find. */
const SERVER_VERSION = '16.3';

/** The settings of one session. Names ignore letter case. */
export class SessionSettings {
  private readonly values = new Map<string, string>();
  private readonly initial: ReadonlyMap<string, string>;

  /** @param svcVersion shown after the version of PostgreSQL */
  constructor({ user, svcVersion }: { user: string; svcVersion: string }) {
    const own = { server_version: `${SERVER_VERSION} (svc ${svcVersion})`, session_authorization: user };
    const defaults = Object.entries(SETTINGS).map(([name, { byDefault }]) => [name, byDefault] as const);
    this.initial = new Map([...defaults, ...Object.entries(own)]);
    for (const [name, value] of this.initial) this.values.set(name, value);
  }

  /** All settings with their values. */
  get all(): ReadonlyMap<string, string> {
    return this.values;
  }

  /** @throws SessionError for a name that isn't known */
  get(name: string): string {
    const value = this.values.get(name.toLowerCase());
    if (value === undefined) throw unknown(name);
    return value;
  }

  /** What the client is informed about when the session starts. */
  reported(): [string, string][] {
    return Object.entries(SETTINGS).flatMap(([name, { reportedAs }]) =>
      reportedAs === undefined ? [] : [[reportedAs, this.values.get(name)!] as [string, string]],
    );
  }

  /** @param value null: the default. @throws SessionError */
  set(name: string, value: string | null): SettingChange {
    const key = name.toLowerCase();
    const definition = Object.hasOwn(SETTINGS, key) ? SETTINGS[key]! : null;
    if (definition === null && !key.includes('.')) throw unknown(name);
    const next = value ?? this.initial.get(key) ?? '';
    if (definition?.readOnly && next !== this.values.get(key))
      throw new SessionError('55P02', `parameter "${name}" cannot be changed`);
    if (definition?.check?.(next) === false)
      throw new SessionError('22023', `invalid value for parameter "${name}": "${next}"`);
    const spelled = definition?.spelled?.(next.toLowerCase()) ?? next.toLowerCase();
    if (definition?.only !== undefined && !definition.only.includes(spelled))
      return this.withoutEffect(name, next, definition);
    // The value that is shown is the one of PostgreSQL, however the client spells it.
    const shown = definition?.only === undefined ? next : definition.byDefault;
    this.values.set(key, shown);
    return { reported: definition?.reportedAs === undefined ? null : [definition.reportedAs, shown], warning: null };
  }

  resetAll(): SettingChange[] {
    return [...this.initial.keys()].filter((name) => !SETTINGS[name]!.readOnly).map((name) => this.set(name, null));
  }

  /** The namespaces in which names without one are looked up. */
  get searchPath(): string[] {
    const groups: string[] = [''];
    for (const token of tokenize(this.values.get('search_path')!).tokens) {
      if (token.text === ',') groups.push('');
      else groups[groups.length - 1] += unquoted(token);
    }
    return groups.filter((name) => name !== '' && name !== '$user');
  }

  /** Milliseconds, or null for none. */
  get statementTimeoutMs(): number | null {
    const [, digits, unit = 'ms'] = /^(\d+)\s*(\w*)$/.exec(this.values.get('statement_timeout')!) ?? [];
    const factor = { us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }[unit || 'ms'] ?? 1;
    const ms = Math.ceil(Number(digits) * factor);
    return ms > 0 ? Math.min(ms, MAX_TIMER_MS) : null;
  }

  private withoutEffect(name: string, value: string, { byDefault, refuse }: Definition): SettingChange {
    if (refuse)
      throw new SessionError(
        '22023',
        `invalid value for parameter "${name}": "${value}". Only ${byDefault} is available.`,
      );
    return { reported: null, warning: `"${name}" stays ${byDefault}: "${value}" has no effect in svc` };
  }
}

/** The name that a token of a search path stands for; a text in quotes is a name, too. */
const unquoted = ({ kind, text }: Token): string =>
  kind === 'quoted' || kind === 'literal' ? text.slice(1, -1).replaceAll('""', '"') : text;

const MAX_TIMER_MS = 2 ** 31 - 1;

const unknown = (name: string): SessionError =>
  new SessionError('42704', `unrecognized configuration parameter "${name}"`);
