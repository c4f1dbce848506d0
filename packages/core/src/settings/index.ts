export { parseBytes, SETTINGS, type Setting, type Settings } from './definitions.ts';
export { readSettings, requireSetting, SettingError } from './read-settings.ts';
