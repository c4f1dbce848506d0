export * from './asset.ts';
export { type AssetChanges, compareAssets, type NamedColumn } from './asset-changes.ts';
export { type CodeFile, codeChanges, type VersionCode } from './code-changes.ts';
export {
  type Deploy,
  type Deployment,
  deployEndpoints,
  deploySchema,
  type ProjectVersion,
  type ProjectVersionSummary,
  type VersionChanges,
} from './contract.ts';
export { inDevNamespace, patternInDevNamespace } from './dev-namespace.ts';
export * from './diagnostics.ts';
export { type Duration, parseDuration } from './durations.ts';
export * from './graph.ts';
export * from './incremental.ts';
export * from './jobs-of-environment.ts';
export { type JobDeclaration, type JobOverride, MANIFEST_FILE, type Manifest, parseManifest } from './manifest.ts';
export { type PlannedAsset, planJobs, planRun, type RunPlan } from './plan.ts';
export { parsePythonAssets } from './python-asset.ts';
export { DEFAULT_ZONE, type Schedule, type ScheduleOverride } from './schedule.ts';
export * from './seed.ts';
export * from './selection.ts';
export { ASSET_FOLDER, parseSqlAsset, tableOfPath, withReads } from './sql-asset.ts';
export { compareVersions } from './version-changes.ts';
