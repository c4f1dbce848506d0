export { isForbidden, isMetadataHost, isPublic } from './classify.ts';
