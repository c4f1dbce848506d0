export {
  createPackageIndex,
  findPackageIndex,
  listPackageIndexes,
  removePackageIndex,
  updatePackageIndex,
} from './package-indexes.ts';
