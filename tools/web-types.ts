// `npm run web-types`: writes the server's types for the web app: src/web/api/operations.ts, with the types of
// operations and endpoints and which operations send something outside, from the OpenAPI document of the catalogue and
// the endpoint definitions, and src/web/api/item-paths.ts, the page paths of each item type, from the resources.

import { renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { ServerEndpoint } from '../src/http/web/endpoint.ts'
import { endpointsWith } from '../src/http/web/endpoints.ts'
import { Catalogue } from '../src/operations/catalogue.ts'
import type { Module } from '../src/operations/module.ts'
import { componentSchemas } from '../src/operations/schemas.ts'
import { openApi } from '../src/http/openapi/openapi.ts'
import { modules } from '../src/modules/index.ts'
import { itemPaths } from '../src/records/item-paths.ts'

type Schema = Record<string, unknown>
interface Described {
  operationId: string
  'x-kind': string
  parameters?: {
    $ref?: string
    name: string
    in: string
    required: boolean
    schema?: Schema
    content?: Record<string, { schema: Schema }>
  }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** The text of src/web/api/operations.ts. */
export function operationTypes(all: readonly Module[]): string {
  const catalogue = new Catalogue(all)
  const { paths, components } = openApi({ catalogue, baseUrl: '' } as never) as {
    paths: Record<string, Record<string, Described>>
    components: { schemas: Record<string, Schema> }
  }
  const endpoints = endpointTypes(endpointsWith(all))
  const shapes = Object.entries({ ...components.schemas, ...endpoints.schemas }).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema, '')}\n`,
  )
  const operations = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .filter((described) => described['x-kind'] !== undefined)
  const each = operations.map(
    (operation) =>
      `  ${operation.operationId}: {\n    kind: '${operation['x-kind']}'\n    input: ${inputOf(operation)}\n    output: ${outputOf(operation)}\n  }\n`,
  )
  return [
    '// Written by `npm run web-types`; not by hand.\n',
    ...shapes,
    `export interface Operations {\n${each.join('')}}\n`,
    `/** Requests below /web, by method and path. The variables of the path are part of the input. */\nexport interface Endpoints {\n${endpoints.members.join('')}}\n`,
    traitsOf(catalogue),
  ].join('\n')
}

function endpointTypes(endpoints: readonly ServerEndpoint[]) {
  const nameOf = ({ method, path }: ServerEndpoint) => `${method} ${path}`
  const { schemas, roots } = componentSchemas(
    z.object(Object.fromEntries(endpoints.map((item) => [nameOf(item), item.output]))),
  )
  const members = endpoints.map((item) => {
    const output = typeOf(roots[nameOf(item)] ?? {}, '    ')
    return `  '${nameOf(item)}': {\n    input: ${endpointInput(item)}\n    output: ${output}\n  }\n`
  })
  return { schemas, members }
}

function endpointInput({ path, input }: ServerEndpoint): string {
  const variables = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, { type: 'string' }])
  const fields = Object.entries(input).map(([name, type]) => [name, fieldSchema(type as z.ZodType)])
  const required = [
    ...variables.map(([name]) => name),
    ...Object.keys(input).filter(
      (name) => !(input[name] as z.ZodType).safeParse(undefined).success,
    ),
  ]
  const properties = Object.fromEntries([...variables, ...fields]) as Schema
  return typeOf({ type: 'object', properties, required, additionalProperties: false }, '    ')
}

/** Schema of the value sent for a field. A query encodes booleans as text; the client does that. */
function fieldSchema(type: z.ZodType): Schema {
  const json = (io: 'input' | 'output') =>
    z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Schema
  const parsed = json('output')
  return parsed.type === 'boolean' ? parsed : json('input')
}

/** Runtime traits of operations for the web app. */
function traitsOf({ routes }: Catalogue): string {
  const writes = routes.map((entry) => entry.operation).filter(({ kind }) => kind !== 'read')
  const outbound = writes.filter((operation) => operation.outbound || operation.outboundLater)
  const idempotent = writes.filter((operation) => operation.idempotent)
  const names = (operations: typeof writes) => JSON.stringify(operations.map(({ name }) => name))
  return [
    '/** Operations that may send something outside. */',
    `export const outboundOperations: readonly string[] = ${names(outbound)}`,
    '/** Operations that change nothing more when they are repeated: they keep no idempotency keys. */',
    `export const idempotentOperations: readonly string[] = ${names(idempotent)}\n`,
  ].join('\n')
}

function inputOf({ parameters = [], requestBody }: Described): string {
  const queryParameters = parameters.filter((parameter) => parameter.$ref === undefined)
  const body = requestBody?.content['application/json']?.schema ?? {}
  const properties = {
    ...Object.fromEntries(
      queryParameters.map((item) => [
        item.name,
        item.schema ?? Object.values(item.content!)[0]!.schema,
      ]),
    ),
    ...(body.properties as Schema | undefined),
  }
  const required = [
    ...queryParameters.filter((item) => item.required).map((item) => item.name),
    ...((body.required as string[] | undefined) ?? []),
  ]
  return typeOf({ type: 'object', properties, required, additionalProperties: false }, '    ')
}

function outputOf({ responses }: Described): string {
  return typeOf((responses[201] ?? responses[200])!.content!['application/json']!.schema, '    ')
}

/** A JSON schema from our catalogue as a TypeScript type. */
function typeOf(schema: Schema | boolean, indent: string): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1)!
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((item) => JSON.stringify(item)).join(' | ')
  const several = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (several) return [...new Set(several.map((item) => typeOf(item, indent)))].join(' | ')
  if (schema.type === 'array' && Array.isArray(schema.prefixItems))
    return `[${(schema.prefixItems as Schema[]).map((prefixItem) => typeOf(prefixItem, indent)).join(', ')}]`
  if (schema.type === 'array')
    return `Array<${typeOf((schema.items as Schema | undefined) ?? {}, indent)}>`
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ')
  if (schema.type === 'object') return objectType(schema, indent)
  return (
    { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[
      schema.type as string
    ] ?? 'unknown'
  )
}

function objectType(
  { properties, required, additionalProperties }: Schema,
  indent: string,
): string {
  const inner = `${indent}  `
  const fields = Object.entries((properties as Record<string, Schema> | undefined) ?? {}).map(
    ([name, schema]) => {
      const isOptional = !((required as string[] | undefined)?.includes(name) ?? false)
      return `${inner}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${isOptional ? '?' : ''}: ${typeOf(schema, inner)}${isOptional ? ' | undefined' : ''}\n`
    },
  )
  if (fields.length === 0)
    return additionalProperties === false
      ? 'Record<string, never>'
      : `Record<string, ${typeOf((additionalProperties as Schema | undefined) ?? true, indent)}>`
  return `{\n${fields.join('')}${indent}}`
}

/** The text of src/web/api/item-paths.ts. */
export function itemPathSource(): string {
  const lines = itemPaths().map(
    ({ type, prefix, path }) => `  ${prefix}: { type: '${type}', path: '${path}' },\n`,
  )
  return `// Written by \`npm run web-types\` from the resources; not by hand.

/** Kinds of items and the routes of their pages, by the first part of their ids. */
export const itemPaths: Readonly<Record<string, { type: string; path: string }>> = {
${lines.join('')}}
`
}

/** The files may be in use: each is replaced atomically. */
function writeWebTypes(): void {
  write('operations.ts', operationTypes(modules))
  write('item-paths.ts', itemPathSource())
}

function write(name: string, text: string): void {
  const path = fileURLToPath(new URL(`../src/web/api/${name}`, import.meta.url))
  const written = `${path}.${process.pid}.tmp`
  writeFileSync(written, text)
  renameSync(written, path)
}

if (process.argv[1] === import.meta.filename) writeWebTypes()
