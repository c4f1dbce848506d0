export { type OtlpOptions, type OtlpTraces, openOtlp } from './open-otlp.ts';
