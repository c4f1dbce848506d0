export {
  createEnvironment,
  environmentRecord,
  getEnvironment,
  listEnvironments,
  type StoredEnvironment,
  updateEnvironment,
} from './environments.ts';
