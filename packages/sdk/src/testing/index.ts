export { problem, type Received, type Reply, type ScriptedService, startService } from './service.ts';
