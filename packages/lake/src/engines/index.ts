export { queryEngine } from './choose-engine.ts';
