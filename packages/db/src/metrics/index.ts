export { hasBearerToken } from './bearer-token.ts';
export { type BacklogSource, measureBacklog } from './measure-backlog.ts';
