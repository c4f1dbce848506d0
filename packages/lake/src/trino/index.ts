export { type TrinoOptions, trinoEngine } from './trino-engine.ts';
