export {
  claimExpiredUploads,
  deleteUpload,
  findUpload,
  findUploads,
  finishUploads,
  type NewUpload,
  type StoredPart,
  type StoredUpload,
  startUpload,
  storePart,
  uploadRecord,
} from './uploads.ts';
