export { patchGroup, patchUser } from './patch.ts';
export {
  readFilter,
  readGroup,
  readUser,
  type ScimFilter,
  type ScimGroup,
  ScimInputError,
  type ScimUser,
} from './resources.ts';
export { SCIM, SCIM_CONFIG, SCIM_MAX_COUNT, SCIM_RESOURCE_TYPES, SCIM_SCHEMAS } from './schemas.ts';
