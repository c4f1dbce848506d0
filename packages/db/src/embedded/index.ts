export { EmbeddedServerError } from './error.ts';
export { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from './start.ts';
