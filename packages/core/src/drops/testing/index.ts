export { checkHistories, histories, type Op } from './histories.ts';
export { Model, type ModelRules, type Observation, SPECIFIED } from './model.ts';
