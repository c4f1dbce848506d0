export { isForbidden, isLoopback, isMetadataHost, isPublic } from './classify.ts';
