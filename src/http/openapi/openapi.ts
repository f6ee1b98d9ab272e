import { truncate } from '../../kernel/text/truncate.ts'
import { omitNullish } from '../../kernel/present.ts'
import manifest from '../../../package.json' with { type: 'json' }
import type { App } from '../../operations/app.ts'
import type { Entry } from '../../operations/entry.ts'
import type { JsonSchema } from '../../operations/schemas.ts'
import { StaticAnswer } from '../transport/answers.ts'
import { takesQuery } from '../routes/arguments.ts'
import { exampleOf } from './examples.ts'
import type { WebPage } from '../transport/request-info.ts'
import { componentsOf, type Components } from './components.ts'
import { addEvents } from './events.ts'
import {
  errorStatuses,
  problemResponses,
  problemSchema,
  securitySchemes,
  sharedHeaders,
  sharedParameters,
} from './parts.ts'
import { mayCreateNothing, isCreation } from '../routes/creations.ts'

/** The OpenAPI document page: generated on first request and then unchanged. */
export function openApiPage(app: App): WebPage {
  let cached: StaticAnswer | undefined
  return (incoming) => {
    cached ??= new StaticAnswer(JSON.stringify(openApi(app)), [
      ['content-type', 'application/json'],
      ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
    ])
    return cached.answer(incoming)
  }
}

/** The REST API as an OpenAPI 3.1 document: every listed operation, generated from the catalogue alone. */
export function openApi({ catalogue, baseUrl }: Pick<App, 'catalogue' | 'baseUrl'>): JsonSchema {
  const components = componentsOf(catalogue.entries)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const entry of catalogue.entries)
    (paths[entry.path] ??= {})[entry.method.toLowerCase()] = operationOf(entry, components)
  if (catalogue.feed) addEvents((paths['/api/events'] ??= {}))
  const used = new Set(catalogue.entries.map((entry) => entry.module))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace',
      version: manifest.version,
      summary: 'The work of an organization, shared by its people and their assistants.',
      description,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ key: [] }],
    tags: catalogue.modules
      .filter((module) => used.has(module.name))
      .map(({ name, about }) => ({ name, description: about })),
    paths,
    components: {
      securitySchemes,
      schemas: { Problem: problemSchema, ...components.schemas },
      responses: problemResponses,
      parameters: sharedParameters,
      headers: sharedHeaders,
    },
  }
}

const description = `Every operation is also a tool of the MCP endpoint at \`/mcp\`, under its operationId.

Send an API key of a person as \`Authorization: Bearer svc_…\`; a call can do what that person can. Items they cannot see return 404, as if they did not exist.
Unknown arguments are rejected, each by name. Lists come in pages: send \`next_cursor\` as \`cursor\` while \`has_more\` is true.
Values of the wrong JSON type are converted where the meaning is certain: "20" to 20, "true" to true, one value to a list of one, JSON in a string to what it holds,
and null to "not given" for optional arguments that cannot be null. What an id argument takes besides an id (key, name, email address, web address of the item) is in its description.
Lists in a query are repeated (\`status=a&status=b\`) or separated by commas. Errors are problem details (RFC 9457) with a \`code\`.`

function operationOf(entry: Entry, components: Components): JsonSchema {
  const { operation, module } = entry
  const parameters = parametersOf(entry)
  return omitNullish({
    operationId: operation.name,
    tags: [module],
    summary: truncate(operation.about, 120),
    description: operation.about,
    parameters: parameters.length > 0 ? parameters : undefined,
    ...(takesQuery(entry) ? {} : requestBodyOf(entry)),
    responses: responsesOf(entry, components),
    'x-kind': operation.kind,
    'x-idempotent': operation.idempotent,
  })
}

/** Path and query parameters, and headers that carry arguments. */
function parametersOf(entry: Entry): JsonSchema[] {
  const { path, names, inputJson } = entry.schemas
  const required = new Set(inputJson.required as string[] | undefined)
  const parameterNames = takesQuery(entry) ? names : path
  const parameters = parameterNames.map((name) =>
    parameterOf(name, path.includes(name), required.has(name), propertyOf(entry, name)),
  )
  if (!entry.operation.idempotent)
    parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if (names.includes('expected_revision'))
    parameters.push({ $ref: '#/components/parameters/IfMatch' })
  return parameters
}

function parameterOf(
  name: string,
  isInPath: boolean,
  isRequired: boolean,
  schema: JsonSchema,
): JsonSchema {
  const { description: about, ...rest } = schema
  const schemaOrContent = isObjectSchema(rest)
    ? { content: { 'application/json': { schema: rest } } }
    : { schema: rest }
  return omitNullish({
    name,
    in: isInPath ? 'path' : 'query',
    required: isInPath || isRequired,
    description: about,
    ...schemaOrContent,
  })
}

function isObjectSchema(schema: JsonSchema): boolean {
  return (
    schema.type === 'object' ||
    ((schema.anyOf as JsonSchema[] | undefined)?.some(isObjectSchema) ?? false)
  )
}

function propertyOf(entry: Entry, name: string): JsonSchema {
  return (entry.schemas.inputJson.properties as Record<string, JsonSchema>)[name]!
}

function requestBodyOf(entry: Entry): JsonSchema {
  const { names, path, inputJson } = entry.schemas
  const inBody = names.filter((name) => !path.includes(name))
  if (inBody.length === 0) return {}
  const required = ((inputJson.required as string[] | undefined) ?? []).filter((name) =>
    inBody.includes(name),
  )
  const properties = Object.fromEntries(inBody.map((name) => [name, propertyOf(entry, name)]))
  const schema = omitNullish({
    type: 'object',
    properties,
    required: required.length > 0 ? required : undefined,
    additionalProperties: false,
  })
  const example = exampleOf(entry)
  return {
    requestBody: {
      required: required.length > 0,
      content: { 'application/json': omitNullish({ schema, example }) },
    },
  }
}

function responsesOf(entry: Entry, components: Components): JsonSchema {
  const { names } = entry.schemas
  const etagHeader = names.includes('expected_revision')
    ? { ETag: { $ref: '#/components/headers/ETag' } }
    : {}
  const headers = {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    'X-Call-Id': { $ref: '#/components/headers/CallId' },
    ...etagHeader,
  }
  const success = {
    description: isCreation(entry) ? 'Created.' : 'Done.',
    headers,
    content: { 'application/json': { schema: components.outputOf(entry) } },
  }
  const errors = errorStatuses(entry).map((status) => [
    status,
    { $ref: `#/components/responses/Problem${status}` },
  ])
  const nothingCreated =
    isCreation(entry) && mayCreateNothing(entry)
      ? { 200: { ...success, description: 'Nothing created: a dry run, or it already existed.' } }
      : {}
  return {
    ...nothingCreated,
    [isCreation(entry) ? 201 : 200]: success,
    ...(Object.fromEntries(errors) as JsonSchema),
  }
}
