export {
  createRepository,
  findRepository,
  listRepositories,
  lockRepository,
  lockRepositoryForShare,
  type RepositorySettings,
  removeRepository,
  updateRepository,
} from './repositories.ts';
