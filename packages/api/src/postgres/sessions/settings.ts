import { type Token, tryTokenize } from '@svc/core/sql-tokens';
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
  /** Whether the client is informed about its value. */
  readonly isReported?: boolean;
  /** The only values that have an effect, in lower case; others are accepted with a warning or refused. */
  readonly only?: readonly string[];
  readonly refuse?: boolean;
  /** The form in which a value is compared with `only`. */
  readonly spelled?: (value: string) => string;
  readonly readOnly?: boolean;
  readonly check?: (value: string) => boolean;
  /** Whether it is on or off, in any spelling that PostgreSQL accepts. */
  readonly isSwitch?: boolean;
}

/** PostgreSQL compares encodings by their letters and digits: some drivers even send quotes. */
const lettersAndDigits = (value: string): string => value.replaceAll(/[^a-z0-9]/g, '');
const isDuration = (value: string): boolean => /^\d{1,15} *(us|ms|s|min|h|d)?$/.test(value);
const isIgnored = (byDefault: string): Definition => ({ byDefault });
const fixed = (byDefault: string): Definition => ({ byDefault, readOnly: true });
const reported = (byDefault: string): Definition => ({ byDefault, readOnly: true, isReported: true });

/** The version of PostgreSQL whose protocol and catalog clients find. */
export const SERVER_VERSION = '16.4';
const SERVER_VERSION_NUMBER = '160004';

/** The settings that clients read or set. Those without `only` and `check` accept any value, which has no effect. */
const SETTINGS: Readonly<Record<string, Definition>> = {
  application_name: { byDefault: '', isReported: true },
  block_size: fixed('8192'),
  bytea_output: { byDefault: 'hex', only: ['hex'] },
  client_encoding: {
    byDefault: 'UTF8',
    isReported: true,
    only: ['utf8', 'unicode'],
    spelled: lettersAndDigits,
    refuse: true,
  },
  client_min_messages: isIgnored('notice'),
  DateStyle: {
    byDefault: 'ISO, MDY',
    isReported: true,
    only: ['iso', 'iso, mdy', 'iso,mdy', 'iso, ymd', 'iso, dmy'],
  },
  default_transaction_isolation: isIgnored('read committed'),
  default_transaction_read_only: { byDefault: 'off', isReported: true, isSwitch: true },
  extra_float_digits: isIgnored('1'),
  geqo: isIgnored('on'),
  idle_in_transaction_session_timeout: isIgnored('0'),
  idle_session_timeout: isIgnored('0'),
  in_hot_standby: reported('off'),
  integer_datetimes: reported('on'),
  IntervalStyle: { byDefault: 'postgres', isReported: true, only: ['postgres'] },
  is_superuser: reported('off'),
  jit: isIgnored('off'),
  lc_collate: fixed('C'),
  lc_ctype: fixed('C'),
  lc_messages: fixed('C'),
  lc_monetary: fixed('C'),
  lc_numeric: fixed('C'),
  lc_time: fixed('C'),
  lock_timeout: isIgnored('0'),
  max_identifier_length: fixed('128'),
  max_index_keys: fixed('32'),
  quote_all_identifiers: isIgnored('off'),
  role: fixed('none'),
  row_security: isIgnored('on'),
  search_path: { byDefault: 'public', check: (value) => tryTokenize(value) !== null },
  server_encoding: reported('UTF8'),
  server_version: reported(SERVER_VERSION),
  server_version_num: fixed(SERVER_VERSION_NUMBER),
  session_authorization: reported(''),
  standard_conforming_strings: {
    byDefault: 'on',
    isReported: true,
    only: ['on', 'true', '1', 'yes'],
    refuse: true,
  },
  statement_timeout: { byDefault: '0', check: isDuration },
  synchronous_commit: isIgnored('on'),
  TimeZone: {
    byDefault: 'UTC',
    isReported: true,
    only: ['utc', 'etc/utc', 'gmt', 'z', '0', '+00', '+00:00'],
  },
  transaction: isIgnored(''),
  transaction_deferrable: isIgnored('off'),
  transaction_isolation: fixed('read committed'),
  transaction_read_only: { byDefault: 'off', isSwitch: true },
  work_mem: isIgnored('4MB'),
};

/** The names of settings ignore letter case. */
const CANONICAL: ReadonlyMap<string, string> = new Map(Object.keys(SETTINGS).map((name) => [name.toLowerCase(), name]));

/** The settings of one session. */
export class SessionSettings {
  private readonly values = new Map<string, string>();
  private readonly initial: ReadonlyMap<string, string>;
  /** The values before the open transaction, and those after its COMMIT; null outside a transaction. */
  private transaction: { readonly before: Map<string, string>; readonly after: Map<string, string> } | null = null;

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
    const value = this.values.get(canonical(name));
    if (value === undefined) throw unknown(name);
    return value;
  }

  /** Settings of extensions, whose names have dots, accept any value. */
  knows(name: string): boolean {
    return Object.hasOwn(SETTINGS, canonical(name)) || name.includes('.');
  }

  /** What the client is informed about when the session starts. */
  reported(): [string, string][] {
    const names = Object.keys(SETTINGS).filter((name) => SETTINGS[name]!.isReported);
    return names.map((name) => [name, this.values.get(name)!]);
  }

  /**
   * @param value null: the default
   * @param isLocal whether the value applies only until the transaction finishes
   * @throws SessionError
   */
  set(name: string, value: string | null, { isLocal = false } = {}): SettingChange {
    const key = canonical(name);
    if (!this.knows(name)) throw unknown(name);
    const definition = Object.hasOwn(SETTINGS, key) ? SETTINGS[key]! : null;
    const text = storable(key, value ?? this.initial.get(key) ?? '');
    const next = definition?.isSwitch ? switched(name, text) : text;
    if (definition?.readOnly && next !== this.values.get(key))
      throw new SessionError('55P02', `parameter "${name}" cannot be changed`);
    if (definition?.check?.(next) === false)
      throw new SessionError('22023', `invalid value for parameter "${name}": "${next}"`);
    const spelled = definition?.spelled?.(next.toLowerCase()) ?? next.toLowerCase();
    if (definition?.only !== undefined && !definition.only.includes(spelled))
      return this.withoutEffect(name, next, definition);
    // The value that is shown is the one of PostgreSQL, however the client spells it.
    const shown = definition?.only === undefined ? next : definition.byDefault;
    if (isLocal && this.transaction === null) return { reported: null, warning: NOT_LOCAL };
    this.values.set(key, shown);
    if (!isLocal) this.transaction?.after.set(key, shown);
    if (key === 'default_transaction_read_only') this.set('transaction_read_only', shown, { isLocal });
    return { reported: definition?.isReported ? [key, shown] : null, warning: null };
  }

  /** From now on, changes last only if the transaction is committed. */
  startTransaction(): void {
    this.transaction ??= { before: new Map(this.values), after: new Map(this.values) };
  }

  /** COMMIT ends the values of SET LOCAL, ROLLBACK those of every change. Returns what has changed by that. */
  finishTransaction({ isCommitted }: { isCommitted: boolean }): SettingChange[] {
    if (this.transaction === null) return [];
    const next = isCommitted ? this.transaction.after : this.transaction.before;
    this.transaction = null;
    const changed = [...next].filter(([key, value]) => this.values.get(key) !== value);
    this.values.clear();
    for (const [key, value] of next) this.values.set(key, value);
    return changed.map((change) => ({ reported: SETTINGS[change[0]]?.isReported ? change : null, warning: null }));
  }

  /** Whether changes of tables are refused. */
  get isReadOnly(): boolean {
    return this.values.get('default_transaction_read_only') === 'on';
  }

  resetAll(): SettingChange[] {
    return [...this.initial.keys()].filter((name) => !SETTINGS[name]!.readOnly).map((name) => this.set(name, null));
  }

  /** The namespaces in which names without one are looked up. */
  get searchPath(): string[] {
    const groups: string[] = [''];
    for (const token of tryTokenize(this.values.get('search_path')!)!.tokens) {
      if (token.text === ',') groups.push('');
      else groups[groups.length - 1] += unquoted(token);
    }
    return groups.filter((name) => name !== '' && name !== '$user');
  }

  /** Milliseconds, or null for none. */
  get statementTimeoutMs(): number | null {
    const [, digits, unit = 'ms'] = /^(\d+) *([a-z]*)$/.exec(this.values.get('statement_timeout')!) ?? [];
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

/** PostgreSQL limits texts that others see in lists in the same way. */
function storable(key: string, value: string): string {
  if (value.length > MAX_LENGTH)
    throw new SessionError('22023', `the value of "${key}" is longer than ${MAX_LENGTH} characters`);
  return key === 'application_name' ? value.slice(0, 63).replaceAll(/[^\x20-\x7e]/g, '?') : value;
}

const MAX_LENGTH = 1000;

const NOT_LOCAL = 'SET LOCAL can only be used in transaction blocks';

/** `on` or `off`; PostgreSQL also accepts other words, and the start of a word. @throws SessionError */
function switched(name: string, value: string): 'on' | 'off' {
  const text = value.trim().toLowerCase();
  if (/^(?:on|t|tr|tru|true|y|ye|yes|1)$/.test(text)) return 'on';
  if (/^(?:off?|f|fa|fal|fals|false|n|no|0)$/.test(text)) return 'off';
  throw new SessionError('22023', `parameter "${name}" requires a Boolean value`);
}

const canonical = (name: string): string => CANONICAL.get(name.toLowerCase()) ?? name.toLowerCase();

const MAX_TIMER_MS = 2 ** 31 - 1;

const unknown = (name: string): SessionError =>
  new SessionError('42704', `unrecognized configuration parameter "${name}"`);
