import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import { parseArguments } from '../../operations/arguments.ts'
import { recordEarlyRefusal } from '../../operations/call/index.ts'
import type { CallRequest } from '../../operations/call/request.ts'
import { entryOf, hintsOf } from '../../operations/catalogue.ts'
import type { Entry } from '../../operations/entry.ts'
import { freeObject } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { JsonSchema } from '../../operations/schemas.ts'
import { callToolName } from '../surface/presets.ts'
import type { Surface } from '../surface/surface.ts'

// One tool that calls all others, for hosts that should see three tools instead of hundreds. It is not an operation: it
// has no route, and its calls go through the pipeline under their own names.

const inputShape = {
  tool_name: z.string().min(1).max(100).describe('as returned by search_tools'),
  arguments: freeObject().optional().describe("the tool's arguments, see get_tool"),
  kind: z
    .enum(['read', 'write', 'destructive'])
    .describe("the tool's kind as returned by search_tools; must match"),
}

const entry: Entry = entryOf(
  'system',
  operation({
    name: callToolName,
    kind: 'destructive',
    idempotent: true, // so that it takes no key of its own; the tool that is called has one
    rest: 'POST /',
    about: 'Call any tool of this workspace by name; search_tools and get_tool give its arguments',
    input: inputShape,
    output: z.unknown(),
    handle: async () => undefined,
  }),
)

/** call_tool for a connection: with the kinds it can call, and the names if there is no search_tools. */
export function callToolDefinition({
  readOnly,
  listed,
  callable,
}: Surface): Pick<Tool, 'name' | 'description' | 'inputSchema' | 'annotations'> {
  const { properties, ...rest } = entry.schemas.toolJson as {
    properties: Record<string, JsonSchema>
  }
  const canSearch = listed.some((item) => item.operation.name === 'search_tools')
  const tool_name = canSearch
    ? properties.tool_name
    : { type: 'string', enum: callable.map((item) => item.operation.name) }
  const kind = readOnly ? { ...properties.kind, enum: ['read'] } : properties.kind
  return {
    name: callToolName,
    description: canSearch ? entry.operation.about : 'Call any tool of this workspace by name',
    inputSchema: {
      ...rest,
      properties: { ...properties, tool_name, kind },
    } as unknown as Tool['inputSchema'],
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: !readOnly,
      idempotentHint: false,
      openWorldHint: callable.some((called) => hintsOf(called.operation).openWorldHint),
    },
  }
}

/**
 * The call requested through call_tool. A person approving it sees the kind named by the model, so that must be true.
 * @throws Refusal, already in the call log
 */
export async function resolveCall(
  app: App,
  actor: Actor,
  surface: Surface,
  outerRequest: CallRequest,
): Promise<CallRequest> {
  const request = { ...outerRequest, route: `${outerRequest.route} ${callToolName}` }
  let resolved = request
  try {
    const args = parseArguments(entry, request.args) as {
      tool_name: string
      arguments?: Record<string, unknown>
      kind: string
    }
    const called = requireTool(app, args.tool_name)
    resolved = { ...request, tool: called.operation.name, args: args.arguments ?? {} }
    checkKind(called, args.kind, surface)
    return resolved
  } catch (error) {
    throw await recordEarlyRefusal(app, actor, resolved, error)
  }
}

function requireTool(app: App, name: string): Entry {
  const called = app.catalogue.find(name)
  if (called && !called.operation.unlisted) return called
  if (name === callToolName)
    throw invalid('tool_name', `${callToolName} cannot call itself.`, 'Name another tool.')
  throw app.catalogue.unknownTool(name)
}

/** A tool that the connection may not use is refused for that reason, regardless of its kind. */
function checkKind(called: Entry, kind: string, surface: Surface): void {
  const { name, kind: operationKind } = called.operation
  if (operationKind === kind || surface.refusalFor(called)) return
  throw invalid(
    'kind',
    `${name} is ${operationKind}, not ${kind}.`,
    `If you mean to call it, use kind ${operationKind}.`,
  )
}
