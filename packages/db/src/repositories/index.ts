export {
  createRepository,
  findRepository,
  listRepositories,
  lockRepositoryForShare,
  type RepositorySettings,
  removeRepository,
  updateRepository,
} from './repositories.ts';
