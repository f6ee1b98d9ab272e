// Operations that a running server offers, read only from its own documents: /api/openapi.json and tools/list.

import { send, toolsList, type Door } from './requests.ts'

export type Schema = Record<string, unknown>

/** One operation as described in the served documents. */
export interface Offered {
  name: string
  module: string
  method: string
  /** With id placeholders: `/api/tasks/{task_id}`. */
  path: string
  /** All arguments, regardless of where they are sent. */
  properties: Record<string, Schema>
  required: string[]
  inPath: string[]
  kind: 'read' | 'write' | 'destructive'
  /** True if it supports Idempotency-Key. */
  takesKey: boolean
  /** True if it supports If-Match. */
  takesRevision: boolean
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  required: boolean
  schema?: Schema
  content?: Record<string, { schema: Schema }>
}

interface Described {
  operationId: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  /** An event stream, not an operation. */
  'x-stream'?: true
}

/** Reads both documents. @throws Error where one lists what the other does not */
export async function surfaceOf(door: Door): Promise<Offered[]> {
  const document = (await send(door, { method: 'GET', path: '/api/openapi.json' })).json
  // The preset "research" alone lists `search` and `fetch`.
  const listed = [...(await toolsList(door)), ...(await toolsList(door, '/mcp/p/research'))]
  const tools = new Map(listed.map((tool) => [tool.name, tool]))
  const paths = Object.entries(document.paths as Record<string, Record<string, Described>>)
  const all = paths.flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, one]) => !one['x-stream'])
      .map(([method, described]) => offeredOf(path, method, described)),
  )
  for (const offered of all) {
    const hints = tools.get(offered.name)?.annotations
    if (!hints) throw new Error(`${offered.name} is in the OpenAPI document, and is no tool.`)
    const writeKind = hints.destructiveHint ? 'destructive' : 'write'
    offered.kind = hints.readOnlyHint ? 'read' : writeKind
  }
  if (tools.size !== all.length)
    throw new Error(
      `There are ${tools.size} tools, and ${all.length} operations in the OpenAPI document.`,
    )
  return all
}

function offeredOf(
  path: string,
  method: string,
  { operationId, tags, parameters = [], requestBody }: Described,
): Offered {
  const ownParameters = parameters.filter((parameter) => !parameter.$ref)
  const body = requestBody?.content['application/json']!.schema ?? {}
  const properties = {
    ...Object.fromEntries(
      ownParameters.map((parameter) => [
        parameter.name,
        parameter.schema ?? parameter.content!['application/json']!.schema,
      ]),
    ),
    ...(body.properties as Record<string, Schema> | undefined),
  }
  return {
    name: operationId,
    module: tags[0]!,
    method: method.toUpperCase(),
    path,
    properties,
    required: [
      ...ownParameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
      ...((body.required ?? []) as string[]),
    ],
    inPath: ownParameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => parameter.name),
    kind: 'read',
    takesKey: 'idempotency_key' in properties,
    takesRevision: 'expected_revision' in properties,
  }
}

/** True if an argument is an id: the documents give every id the same limits. */
export function isId(schema: Schema): boolean {
  return choicesOf(schema).some(
    (choice) => choice.type === 'string' && choice.minLength === 1 && choice.maxLength === 320,
  )
}

/** A schema, or its alternatives, of which one must match. */
export function choicesOf(schema: Schema): Schema[] {
  return ((schema.anyOf ?? schema.oneOf) as Schema[] | undefined) ?? [schema]
}
