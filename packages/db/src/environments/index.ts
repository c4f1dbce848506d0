export {
  createEnvironment,
  environmentRecord,
  findEnvironment,
  getEnvironment,
  listEnvironments,
  type StoredEnvironment,
  updateEnvironment,
} from './environments.ts';
