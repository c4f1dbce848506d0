export {
  type DeployedAsset,
  deployedAssets,
  findInputColumns,
  findInputs,
  findTablesByName,
  type InputKey,
  type LineageTable,
  type RecordedInput,
} from './find-inputs.ts';
export { type ReadInput, recordInputs } from './record-inputs.ts';
