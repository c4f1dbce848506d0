export { type FoundIsolation, findIsolation } from './find-isolation.ts';
export {
  type Bubblewrap,
  type Isolation,
  type Program,
  RELAY_SOCKET,
  type SandboxNetwork,
  type SandboxPaths,
} from './isolate.ts';
export { type IsolatedProgram, runIsolated } from './run-isolated.ts';
