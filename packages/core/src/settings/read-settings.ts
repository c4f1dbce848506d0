import { nearestName } from '../nearest-name/index.ts';
import { SETTINGS, type Settings } from './definitions/index.ts';
import type { Setting } from './setting.ts';

/** An invalid setting: the start stops with this message (SERVICE-2). */
export class SettingError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'SettingError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

// Variables of the clients, and those that Kubernetes sets for each service it finds, are not settings of the service.
const CLIENT_NAMES = new Set([
  ...['SVC_URL', 'SVC_TOKEN', 'SVC_ENV', 'SVC_PROFILE', 'SVC_ALLOW_INSECURE'],
  ...['SVC_ID_TOKEN', 'SVC_IDENTITY_TOKEN_FILE'],
]);
const OCLIF_NAME =
  /^SVC_(?:DISABLE_AUTOUPDATE|SKIP_CORE_PLUGIN_ANALYTICS|UPDATE_INSTRUCTIONS|SKIP_ANALYTICS|OCLIF_.*|BINPATH|DATA_DIR|CACHE_DIR|CONFIG_DIR|COLUMNS|DEBUG|REDIRECTED|NPM_REGISTRY|S3_HOST|TS_NODE|SKIP_NEW_VERSION_CHECK.*|NEW_VERSION_CHECK.*|THEME_FILE|DISABLE_THEME|CONTENT_TYPE|AC_.*|AUTOCOMPLETE.*)$/;
// bounded: names of the process's own environment variables.
const SERVICE_LINK = /^SVC_(?:(?:[A-Z0-9_]+_)?PORT(?:_.*)?|(?:[A-Z0-9_]+_)?SERVICE_(?:HOST|PORT)(?:_.*)?)$/;

function isForeign(name: string): boolean {
  return CLIENT_NAMES.has(name) || OCLIF_NAME.test(name) || SERVICE_LINK.test(name);
}

function refuseUnknown(env: Environment): void {
  const known = Object.values(SETTINGS).map(({ name }) => name as string);
  for (const name of Object.keys(env)) {
    if (!name.startsWith('SVC_') || isForeign(name)) continue;
    if (known.includes(name.replace(/_FILE$/, '')) || known.includes(name)) continue;
    const nearest = nearestName(name, known);
    const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
    throw new SettingError(`${name} is not a setting of svc.${hint} Correct the name or unset it.`);
  }
}

function textOf(setting: Setting, env: Environment, readFile: (path: string) => string): string | undefined {
  const file = env[`${setting.name}_FILE`];
  const direct = env[setting.name];
  if (file === undefined) return direct;
  if (direct !== undefined) throw new SettingError(`Set one of ${setting.name} and ${setting.name}_FILE, not both.`);
  try {
    return readFile(file).replace(/\r?\n$/, '');
  } catch (error) {
    throw new SettingError(`${setting.name}_FILE: can't read the file ${file} (${(error as Error).message}).`);
  }
}

/**
 * Reads all settings from the environment variables. `readFile` returns the text of a file, for `NAME_FILE`.
 * @throws SettingError naming the setting, the problem and the remedy.
 */
export function readSettings(env: Environment, readFile: (path: string) => string): Settings {
  refuseUnknown(env);
  const out: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(SETTINGS) as [string, Setting][]) {
    const text = textOf(setting, env, readFile);
    const read = setting.read.safeParse(text);
    if (!read.success) {
      const shown = setting.secret ? '' : ` (it is ${JSON.stringify(text)})`;
      throw new SettingError(`${setting.name} ${read.error.issues[0]!.message}${shown}.`);
    }
    out[key] = read.data;
  }
  requireTrino(out as Settings);
  requireCertificate(out as Settings);
  return out as Settings;
}

function requireCertificate({ sqlTlsCert, sqlTlsKey }: Settings): void {
  if ((sqlTlsCert === undefined) !== (sqlTlsKey === undefined))
    throw new SettingError('SVC_SQL__TLS_CERT and SVC_SQL__TLS_KEY must be set together.');
}

/** Validates the combination of settings for the Trino engine. */
function requireTrino({ queryEngine, trinoEnvironments, trinoUrl, trinoPassword, trinoToken }: Settings): void {
  if (queryEngine === 'trino' && trinoUrl === undefined) {
    throw new SettingError('SVC_QUERY__TRINO_URL must be set if SVC_QUERY__ENGINE is trino.');
  }
  if (trinoEnvironments.length > 0 && trinoUrl === undefined) {
    throw new SettingError('SVC_QUERY__TRINO_URL must be set if SVC_RUN__TRINO_ENVIRONMENTS is set.');
  }
  if (trinoPassword !== undefined && trinoToken !== undefined) {
    throw new SettingError('SVC_QUERY__TRINO_PASSWORD and SVC_QUERY__TRINO_TOKEN cannot both be set.');
  }
  if ((trinoPassword ?? trinoToken) !== undefined && !trinoUrl?.startsWith('https://')) {
    throw new SettingError('SVC_QUERY__TRINO_URL must start with https:// if a password or token is set.');
  }
}

/**
 * Requires a setting that only some processes need.
 * @throws SettingError naming it.
 */
export function requireSetting<K extends keyof Settings>(settings: Settings, key: K): NonNullable<Settings[K]> {
  const value = settings[key];
  if (value != null) return value;
  throw new SettingError(
    `${SETTINGS[key].name} must be set when the server and the worker run as separate processes. To run everything in one process, use npm start.`,
  );
}
