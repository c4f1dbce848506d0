export {
  createPackageIndex,
  findPackageIndex,
  listPackageIndexes,
  lockPackageIndex,
  lockPackageIndexForShare,
  removePackageIndex,
  updatePackageIndex,
} from './package-indexes.ts';
