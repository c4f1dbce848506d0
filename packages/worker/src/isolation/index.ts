export { type FoundIsolation, findIsolation } from './find-isolation.ts';
export { type IsolatedProgram, runIsolated } from './run-isolated.ts';
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
} from './sandbox.ts';
export { admit } from './task-account-access.ts';
