export { checkHistories, histories, type Op } from './histories.ts';
export { Model, type Observation } from './model.ts';
export { type ModelRules, SPECIFIED } from './specified.ts';
