export { type AccessFile, type FileGrant, parseAccessFile } from './access-file.ts';
export { type AccessChange, type CurrentAccess, changeText, compareAccess } from './compare-access.ts';
export { accessFileText } from './print-access.ts';
