export { instanceId } from './instance-id.ts';
