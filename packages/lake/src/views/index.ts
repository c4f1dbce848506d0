export { type AppliedViewUpdates, applyViewUpdates, noView } from './apply-view-updates.ts';
export { chooseViewSql, OWN_DIALECT, type ViewSql } from './choose-sql.ts';
export { currentVersion, type ViewMetadata, type ViewVersion, viewSchema } from './metadata.ts';
export { parseViewMetadata, readViewText, viewLocation, writeViewMetadata } from './view-files.ts';
