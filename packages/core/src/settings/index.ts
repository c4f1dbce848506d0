export { cannotListen } from './cannot-listen.ts';
export { SETTINGS, type Settings } from './definitions/index.ts';
export { changeLogLevel } from './log-level.ts';
export { parseBytes } from './parsers/sizes.ts';
export { readSettings, requireSetting, SettingError } from './read-settings.ts';
export type { Setting } from './setting.ts';
