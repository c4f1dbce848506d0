export { type OpenTraces, openTraces } from './open-traces.ts';
