export { cannotListen } from './cannot-listen.ts';
export { parseBytes, SETTINGS, type Setting, type Settings } from './definitions.ts';
export { changeLogLevel } from './log-level.ts';
export { readSettings, requireSetting, SettingError } from './read-settings.ts';
