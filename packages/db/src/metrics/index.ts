export { type BacklogSource, measureBacklog } from './measure-backlog.ts';
