export {
  claimExpiredUploads,
  deleteUpload,
  findUpload,
  finishUpload,
  type NewUpload,
  type StoredPart,
  type StoredUpload,
  startUpload,
  storePart,
  uploadRecord,
} from './uploads.ts';
