export { checkIndexes, openSecret, readCredential } from './credentials.ts';
export { readSources } from './sources.ts';
