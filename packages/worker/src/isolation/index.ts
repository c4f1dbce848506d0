export { type FoundIsolation, findIsolation } from './find-isolation.ts';
export type { Bubblewrap, Isolation, Program, SandboxPaths } from './isolate.ts';
export { type IsolatedProgram, runIsolated } from './run-isolated.ts';
