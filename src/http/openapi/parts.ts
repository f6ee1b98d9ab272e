// Parts of the OpenAPI document common to all operations.

import type { Entry } from '../../operations/entry.ts'
import { refusalStatus } from '../../kernel/refusal.ts'
import type { JsonSchema } from '../../operations/schemas.ts'
import { takesQuery } from '../routes/arguments.ts'

export const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_…',
    description: 'An API key of a person, created with `workspace keys create`.',
  },
}

export const problemSchema: JsonSchema = {
  type: 'object',
  description:
    'Problem details (RFC 9457). Some codes add members, such as current_revision or candidates.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: {
      type: 'string',
      enum: Object.keys(refusalStatus),
      description: 'what happened, for programs',
    },
    message: {
      type: 'string',
      description: 'what happened and what to do about it, for people and models',
    },
    detail: { type: 'string', description: 'the same as message' },
    request_id: { type: 'string' },
    field: { type: 'string', description: 'the argument that is wrong' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
        additionalProperties: false,
      },
    },
    retry_after_seconds: { type: 'number' },
    next: {
      type: 'object',
      properties: { tool: { type: 'string' }, arguments: { type: 'object' } },
      required: ['tool', 'arguments'],
      additionalProperties: false,
      description: 'the call that helps',
    },
  },
  required: ['type', 'title', 'status', 'code', 'message', 'detail', 'request_id'],
}

const descriptions: Record<string, string> = {
  400: 'An argument, or the request itself, is malformed.',
  401: 'No valid API key was sent.',
  403: 'The person can see it but may not do this, or the key is restricted.',
  404: 'Not found, or the person has no access.',
  409: 'Conflicts with the current state, or something else is required first.',
  412: 'The revision in If-Match is not the current one.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not JSON.',
  422: 'The idempotency key was used with other arguments.',
  429: 'Rate limit, abuse rule or plan limit reached; retry after Retry-After.',
  503: 'Temporarily unavailable; retry after Retry-After.',
}

const rateLimitHeaders = {
  headers: {
    'Retry-After': { $ref: '#/components/headers/RetryAfter' },
    RateLimit: { $ref: '#/components/headers/RateLimit' },
    'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  },
}
const retryHeader = { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
const headersByStatus: Record<string, JsonSchema> = {
  401: { headers: { 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } } },
  429: rateLimitHeaders,
  503: retryHeader,
}

export const problemResponses = Object.fromEntries(
  Object.entries(descriptions).map(([status, description]) => [
    `Problem${status}`,
    {
      description,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      ...headersByStatus[status],
    },
  ]),
)

/** The errors that an operation may answer with. */
export function errorStatuses(entry: Entry): string[] {
  const writes = entry.operation.kind !== 'read'
  return [
    '400',
    '401',
    '403',
    '404',
    ...(writes ? ['409'] : []),
    ...(entry.schemas.names.includes('expected_revision') ? ['412'] : []),
    ...(takesQuery(entry) ? [] : ['413', '415']),
    ...(entry.operation.idempotent ? [] : ['422']),
    '429',
    '503',
  ]
}

export const sharedParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The same key with the same arguments returns the first response for 24 hours. Same as the argument idempotency_key.',
    schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag of a response; 412 if the revision has changed. Same as expected_revision.',
    schema: { type: 'string', pattern: '^("[1-9][0-9]*"|\\*)$' },
  },
}

export const sharedHeaders = {
  RequestId: {
    description: 'Id of this request; yours is kept if it is 8 to 64 letters, digits, - or _.',
    schema: { type: 'string' },
  },
  CallId: { description: 'Id of this call in the call log.', schema: { type: 'string' } },
  ETag: { description: 'The revision, in quotes: for If-Match.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
  RateLimit: {
    description:
      'Requests left, and seconds until the limit is fully reset: "key";r=119;t=1. On every response to a valid key.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'The limit of the key: "key";q=600;w=60. On every response to a valid key.',
    schema: { type: 'string' },
  },
  Challenge: { description: 'How to authenticate.', schema: { type: 'string' } },
}
