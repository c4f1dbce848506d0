export { serveMetrics } from './serve-metrics.ts';
export { createWorkMetrics, type WorkMetrics } from './work-metrics.ts';
