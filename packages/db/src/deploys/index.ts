export { claimExpiredBundles, findBundle, type NewBundle, storeBundle } from './bundles.ts';
export {
  bindRunPrincipal,
  deploymentRecord,
  findDeployment,
  findDeploymentsOf,
  listDeployments,
  listSharedAssets,
  removeDeployment,
  type StoredDeployment,
  setCurrentVersion,
} from './deployments.ts';
export {
  type DeployOutcome,
  findDeploy,
  finishDeploy,
  listDeploys,
  lockProject,
  type NewDeploy,
  submitDeploy,
  supersededBy,
} from './deploys.ts';
export {
  findCode,
  findDevVersionOfRun,
  findVersion,
  findVersionBefore,
  findVersions,
  listVersions,
  type NewVersion,
  type StoredVersion,
  storeVersion,
  versionRecord,
} from './project-versions.ts';
export { deployRecord, type StoredDeploy } from './stored-deploy.ts';
