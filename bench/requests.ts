import { Catalogue } from '../src/operations/catalogue.ts'
import { modules } from '../src/modules/index.ts'
import {
  mcpMessage,
  restOf,
  toolCallOf,
  type Arguments,
  type RawRequest,
} from '../src/testing/blackbox/requests.ts'
import type { Shot } from './scenarios/load.ts'

const operations = new Map(
  new Catalogue(modules).entries.map(({ operation, module }) => [
    operation.name,
    { module, kind: operation.kind, rest: operation.rest },
  ]),
)

/** Finds an operation by name. @throws Error if there is none */
export function operationOf(tool: string) {
  const operation = operations.get(tool)
  if (!operation) throw new Error(`There is no operation ${tool}.`)
  return operation
}

export function restShot(key: string, tool: string, args: Arguments = {}): Shot {
  const [method, path] = operationOf(tool).rest.split(' ') as [string, string]
  return shotOf(
    key,
    restOf(
      { method, path, inPath: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!) },
      args,
    ),
  )
}

export function mcpShot(key: string, tool: string, args: Arguments = {}): Shot {
  return shotOf(key, toolCallOf(tool, args))
}

export function toolsListShot(key: string): Shot {
  return shotOf(key, mcpMessage('tools/list', {}))
}

function shotOf(key: string, { method, path, headers, body }: RawRequest): Shot {
  const text = body?.toString()
  const kind: Record<string, string> =
    text === undefined ? {} : { 'content-type': 'application/json' }
  return {
    method,
    path,
    headers: {
      ...kind,
      ...(headers as Record<string, string> | undefined),
      authorization: `Bearer ${key}`,
    },
    ...(text === undefined ? {} : { body: () => text }),
  }
}

/** The same requests to bench/floor.ts. */
export function floorShots() {
  const auth = { authorization: 'Bearer svc_floor' }
  let createdCount = 0
  return {
    list: { method: 'GET', path: '/list', headers: auth },
    create: {
      method: 'POST',
      path: '/create',
      headers: { ...auth, 'content-type': 'application/json' },
      body: () =>
        JSON.stringify({ project_id: 'BEN3', title: `Made by the benchmark ${createdCount++}` }),
    },
    bytes: { method: 'GET', path: '/bytes', headers: auth },
  } satisfies Record<string, Shot>
}
