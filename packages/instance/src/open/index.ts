export { type Instance, type InstanceOptions, openInstance } from './open-instance.ts';
