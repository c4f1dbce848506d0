export { MAX_UPLOAD_BYTES, type Upload, type UploadPart, uploadEndpoints } from './contract.ts';
export { partBytes, partCount, sizeOfPart } from './parts.ts';
