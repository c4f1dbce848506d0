export { parseBytes, SETTINGS, type Setting, type Settings } from './definitions.ts';
export { readSettings, SettingError } from './read-settings.ts';
