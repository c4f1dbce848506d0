export {
  createRepository,
  findRepository,
  listRepositories,
  type RepositorySettings,
  removeRepository,
  updateRepository,
} from './repositories.ts';
