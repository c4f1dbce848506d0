export {
  createEnvironment,
  environmentRecord,
  findEnvironment,
  findEnvironmentById,
  getEnvironment,
  listEnvironments,
  type StoredEnvironment,
  updateEnvironment,
} from './environments.ts';
