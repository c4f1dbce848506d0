export * from './column-type.ts';
