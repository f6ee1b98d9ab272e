import { McpServer, type Server, type ServerNotifier } from '@modelcontextprotocol/server'
import {
  identity,
  type MethodHandler,
  type MethodHandlers,
  type TestExtensions,
} from '../../mcp/server.ts'
import { listedTool, type PromptFixture, type ToolFixture } from './fixture.ts'
import { prompts } from './prompts.ts'
import { contentsOf, resources, templates } from './resources.ts'
import { roundTools } from './rounds.ts'
import { TaskStore } from './task-store.ts'
import { taskTools } from './task-tools.ts'
import { askingTools, contentTools, notifyingTools, statelessTools } from './tools.ts'

/**
 * Tools, prompts and resources that the official conformance suite expects by name, in addition to those shipped: the
 * product's own methods handle
 * everything that is not the suite's, and all layers before them (transport, keys, checks, lists, sessions) are the
 * product's own.
 */
export function conformanceExtras(): TestExtensions {
  let notify: ServerNotifier
  const tasks = new TaskStore()
  const tools = byName([
    ...contentTools,
    ...notifyingTools,
    ...askingTools,
    ...roundTools,
    ...statelessTools(() => notify),
    ...taskTools(tasks),
  ])
  return {
    capabilities: {
      logging: {},
      completions: {},
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
    },
    onStart: (notifier) => void (notify = notifier),
    extend: (shipped) => extended(shipped, tools, tasks),
    isFollowable: isOurs,
    wrap: (server) => new HeaderChecked(server, tools),
  }
}

const isOurs = (uri: string) => contentsOf(uri) !== undefined
const promptsByName = byName(prompts)

function byName<F extends ToolFixture | PromptFixture>(fixtures: readonly F[]): Map<string, F> {
  return new Map(fixtures.map((fixture) => [fixture.name, fixture]))
}

function extended(
  shipped: MethodHandlers,
  tools: Map<string, ToolFixture>,
  tasks: TaskStore,
): MethodHandlers {
  const done = () => ({})
  const also = (
    method: string,
    applies: (params: any) => boolean,
    answer: MethodHandler,
  ): MethodHandlers => ({
    [method]: (request, context) =>
      applies(request.params) ? answer(request, context) : shipped[method]!(request, context),
  })
  const list = (method: string, field: string, more: readonly unknown[]): MethodHandlers => ({
    [method]: async (request, context) =>
      appended(
        await shipped[method]!(request, context),
        field,
        request.params?.cursor === undefined ? more : [],
      ),
  })
  return {
    ...shipped,
    ...list('tools/list', 'tools', [...tools.values()].map(listedTool)),
    ...list('prompts/list', 'prompts', prompts.map(listedTool)),
    ...list('resources/list', 'resources', resources),
    ...list('resources/templates/list', 'resourceTemplates', templates),
    ...also(
      'tools/call',
      ({ name }) => tools.has(name),
      ({ params }, context) => tools.get(params.name)!.call(params.arguments ?? {}, context),
    ),
    ...also(
      'prompts/get',
      ({ name }) => promptsByName.has(name),
      ({ params }, context) => promptsByName.get(params.name)!.get(params.arguments ?? {}, context),
    ),
    ...also(
      'resources/read',
      ({ uri }) => isOurs(uri),
      ({ params }) => ({ contents: [contentsOf(params.uri)] }),
    ),
    ...also('resources/subscribe', ({ uri }) => isOurs(uri), done),
    ...also('resources/unsubscribe', ({ uri }) => isOurs(uri), done),
    ...also(
      'completion/complete',
      ({ ref }) => promptsByName.has(ref.name),
      () => ({ completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false } }),
    ),
    ...also(
      'tasks/get',
      ({ taskId }) => tasks.has(taskId),
      ({ params }, context) => tasks.get(params.taskId, context),
    ),
    ...also(
      'tasks/update',
      ({ taskId }) => tasks.has(taskId),
      ({ params }, context) => tasks.update(params.taskId, context),
    ),
    ...also(
      'tasks/cancel',
      ({ taskId }) => tasks.has(taskId),
      ({ params }, context) => tasks.cancel(params.taskId, context),
    ),
  }
}

function appended(result: any, field: string, more: readonly unknown[]): unknown {
  return { ...result, [field]: [...result[field], ...more] }
}

/** The SDK compares argument headers with the body only for a McpServer, and no tool of the product has any. */
class HeaderChecked extends McpServer {
  readonly #tools: Map<string, ToolFixture>

  constructor(server: Server, tools: Map<string, ToolFixture>) {
    super(identity)
    this.#tools = tools
    Object.assign(this, { server })
  }

  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#tools.get(name)?.inputSchema
  }
}
