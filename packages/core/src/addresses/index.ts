export { isForbidden, isLoopback, isMetadataHost, isPublic, setTranslationPrefixes } from './classify.ts';
export {
  type ApprovedHost,
  isApprovedAddress,
  isApprovedHost,
  type NetworkHost,
  networkHostText,
  parseApprovedHost,
  parseNetworkHost,
  type TaskNetworkSetting,
} from './network-hosts.ts';
export { userInfoOf } from './user-info.ts';
