export { type Collected, type Collector, startCollector } from './collector.ts';
