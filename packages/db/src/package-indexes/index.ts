export {
  createPackageIndex,
  findPackageIndex,
  listPackageIndexes,
  lockPackageIndex,
  removePackageIndex,
  updatePackageIndex,
} from './package-indexes.ts';
