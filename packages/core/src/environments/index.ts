export { type Environment, environmentEndpoints, environmentSchema, envParams } from './contract.ts';
