// Service description for providers: supported features, and the stored attributes (RFC 7643, 5 to 7).

import type { Json } from './patch.ts'
import { groupSchema, scimUrl, userSchema } from './present.ts'

export const maxPageSize = 200

const configSchema = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const typeSchema = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const schemaSchema = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

export function serviceProviderConfig(baseUrl: string): Json {
  return {
    schemas: [configSchema],
    documentationUri: 'https://www.rfc-editor.org/rfc/rfc7644',
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: maxPageSize },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token of the provider, which an administrator makes and revokes',
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: `${scimUrl(baseUrl)}/ServiceProviderConfig`,
    },
  }
}

export function resourceTypes(baseUrl: string): Json[] {
  const types = [
    { name: 'User', endpoint: '/Users', schema: userSchema, description: 'People' },
    { name: 'Group', endpoint: '/Groups', schema: groupSchema, description: 'Groups of people' },
  ]
  return types.map((type) => ({
    schemas: [typeSchema],
    id: type.name,
    ...type,
    schemaExtensions: [],
    meta: {
      resourceType: 'ResourceType',
      location: `${scimUrl(baseUrl)}/ResourceTypes/${type.name}`,
    },
  }))
}

export function schemas(baseUrl: string): Json[] {
  const all = [
    { id: userSchema, name: 'User', description: 'A person', attributes: userAttributes },
    {
      id: groupSchema,
      name: 'Group',
      description: 'A group of people',
      attributes: groupAttributes,
    },
  ]
  return all.map((schema) => ({
    schemas: [schemaSchema],
    ...schema,
    meta: { resourceType: 'Schema', location: `${scimUrl(baseUrl)}/Schemas/${schema.id}` },
  }))
}

function attribute(name: string, description: string, overrides: Json = {}): Json {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...overrides,
  }
}

const referenceAttribute = (description: string, to: string, mutability: string) => ({
  type: 'complex',
  multiValued: true,
  mutability,
  subAttributes: [
    attribute('value', `Id of the ${description}`, { mutability: 'immutable' }),
    attribute('display', `Name of the ${description}`, { mutability: 'readOnly' }),
    attribute('$ref', `Address of the ${description}`, {
      type: 'reference',
      referenceTypes: [to],
      mutability: 'readOnly',
    }),
    attribute('type', 'Kind of resource', { canonicalValues: [to], mutability: 'readOnly' }),
  ],
})

const userAttributes: Json[] = [
  attribute('userName', 'The name that the provider calls the person by', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('externalId', 'Id of the person at the provider', { caseExact: true }),
  attribute('displayName', 'Name of the person'),
  attribute('name', 'Parts of the name', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The whole name'),
      attribute('givenName', 'Given name'),
      attribute('familyName', 'Family name'),
    ],
  }),
  attribute('active', 'Whether the person can sign in', { type: 'boolean' }),
  attribute('title', 'Job title'),
  attribute('timezone', 'Time zone, as Europe/Berlin', {
    canonicalValues: Intl.supportedValuesOf('timeZone'),
  }),
  attribute('emails', 'The email address of the person; the primary one is kept', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'Address'),
      attribute('type', 'work', { canonicalValues: ['work'] }),
      attribute('primary', 'Whether it is the one that is kept', { type: 'boolean' }),
    ],
  }),
  attribute('groups', 'Groups of the person', referenceAttribute('group', 'Group', 'readOnly')),
]

const groupAttributes: Json[] = [
  attribute('displayName', 'Name of the group', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'Id of the group at the provider', { caseExact: true }),
  attribute('members', 'People in the group', referenceAttribute('person', 'User', 'readWrite')),
]
