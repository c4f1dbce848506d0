export { admit } from './admit.ts';
export { type FoundIsolation, findIsolation } from './find-isolation.ts';
export {
  type Bubblewrap,
  type Isolation,
  isSandboxed,
  type Landlock,
  type Program,
  RELAY_SOCKET,
  restrictsNetwork,
  type SandboxNetwork,
  type SandboxPaths,
} from './isolate.ts';
export { type IsolatedProgram, runIsolated } from './run-isolated.ts';
