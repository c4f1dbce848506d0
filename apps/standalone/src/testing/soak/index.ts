export { growth, table } from './figures.ts';
export { type Month, Soak } from './soak.ts';
