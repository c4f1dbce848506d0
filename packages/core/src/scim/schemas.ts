export const SCIM = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  config: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
} as const;

/** Resources of a page at the most. */
export const SCIM_MAX_COUNT = 200;

const attribute = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});

const ID = attribute('id', { caseExact: true, mutability: 'readOnly', returned: 'always', uniqueness: 'server' });
const EXTERNAL_ID = attribute('externalId', { caseExact: true });

/** What `/Schemas` returns: the attributes that svc stores. It ignores others. */
export const SCIM_SCHEMAS = [
  {
    schemas: [SCIM.schema],
    id: SCIM.user,
    name: 'User',
    description: 'A person',
    attributes: [
      ID,
      EXTERNAL_ID,
      attribute('userName', { required: true, mutability: 'immutable', uniqueness: 'server' }),
      attribute('displayName'),
      attribute('name', {
        type: 'complex',
        subAttributes: [attribute('formatted'), attribute('givenName'), attribute('familyName')],
      }),
      attribute('emails', { type: 'complex', multiValued: true, subAttributes: [attribute('value')] }),
      attribute('active', { type: 'boolean' }),
    ],
  },
  {
    schemas: [SCIM.schema],
    id: SCIM.group,
    name: 'Group',
    description: 'A group of people',
    attributes: [
      ID,
      EXTERNAL_ID,
      attribute('displayName', { required: true, mutability: 'immutable', uniqueness: 'server' }),
      attribute('members', {
        type: 'complex',
        multiValued: true,
        subAttributes: [attribute('value', { mutability: 'immutable' }), attribute('display')],
      }),
    ],
  },
];

export const SCIM_RESOURCE_TYPES = [
  { id: 'User', name: 'User', endpoint: '/Users', schema: SCIM.user },
  { id: 'Group', name: 'Group', endpoint: '/Groups', schema: SCIM.group },
].map((type) => ({ schemas: [SCIM.resourceType], ...type }));

export const SCIM_CONFIG = {
  schemas: [SCIM.config],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: SCIM_MAX_COUNT },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Token', description: 'A token of the service account of the provider' },
  ],
};
