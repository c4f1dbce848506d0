export { webhookLoop } from './deliver.ts';
