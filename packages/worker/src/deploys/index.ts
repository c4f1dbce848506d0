export { packProject, unpackBundle } from './bundle.ts';
export { executeDeploy } from './execute-deploy.ts';
export { type FetchedProject, type FetchOptions, fetchRepository } from './fetch-repository.ts';
export { PROJECT_LIMITS, ProjectError, type ProjectLimits } from './project-error.ts';
export { type LockFiles, type ReadOptions, type ReadProject, readProject } from './read-project.ts';
export type { RepositoryCredential } from './repository-address.ts';
export { checkAddress, type RepositoryAddress } from './repository-address.ts';
