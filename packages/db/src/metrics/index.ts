export { answerScrapes, type ScrapeResponse } from './answer-scrapes.ts';
export { type BacklogSource, measureBacklog } from './measure-backlog.ts';
