import {
  ProtocolError,
  ProtocolErrorCode,
  type Implementation,
  type McpRequestContext,
  type Server,
  type McpServer,
  type ReadResourceResult,
  type RequestMethod,
  type Result,
  type ServerContext,
  type ServerNotifier,
  type ServerOptions,
} from '@modelcontextprotocol/server'
import manifest from '../../package.json' with { type: 'json' }
import { z } from 'zod'
import type { App } from '../operations/app.ts'
import { productIcons } from './surface/icons.ts'
import { recordAccess } from '../operations/call/index.ts'
import { isViewAddress, readView, viewResources } from './apps/app-views.ts'
import type { Caller } from './caller.ts'
import { requestFor } from './requests.ts'
import { messageContextIn, type MessageContext } from './message-context.ts'
import { complete } from './resources/completions.ts'
import { ExactServer } from './exact-server.ts'
import type { FollowedResources } from './resources/followed-items.ts'
import { getPrompt, listPrompts } from './resources/prompts.ts'
import { listResources, listTemplates, readResource } from './resources/resources.ts'
import {
  getSkill,
  isSkillAddress,
  listSkills,
  readSkill,
  skillResources,
} from './resources/skills.ts'
import { cancelTask, getTask, updateTask } from './tasks/methods.ts'
import { toolsOf } from './tools/tool-list.ts'
import { callTool } from './tools/tools.ts'

/** Server name in every answer of the current protocol. */
export const identity = { name: 'workspace', title: 'Workspace', version: manifest.version }

/** Long introduction, sent once, with the details that hosts show beside the name. */
function introductionOf({ baseUrl }: App): Implementation {
  return {
    ...identity,
    description: 'Tasks, mail, calendar, chat and pages, shared by people and their assistants',
    websiteUrl: baseUrl,
    icons: productIcons(baseUrl),
  }
}

/** Handler of one method. */
export type MethodHandler = (request: any, context: ServerContext) => unknown
export type MethodHandlers = Record<string, MethodHandler>

/** Scope of an SDK server: one message, or one session with messages of varying senders. */
export interface ServerScope {
  app: App
  era: McpRequestContext['era']
}

/** Additions for tests of the protocol; unreachable in a running product. */
export interface TestExtensions {
  capabilities: NonNullable<ServerOptions['capabilities']>
  /** Returns the methods as extended by the extras. */
  extend(answerers: MethodHandlers, server: Server, served: ServerScope): MethodHandlers
  /** Receives, once, the notifier for list changes. */
  onStart?(notify: ServerNotifier): void
  /** Wraps the server that the SDK gets for a message of the current protocol. */
  wrap?(server: Server): McpServer
  /** Whether a resource belongs to the extras, which need no permission to follow. */
  isFollowable?(uri: string): boolean
  /** Overrides the product's routes and timeouts. */
  tuning?: Partial<McpTuning>
}

/** Route of a call's answer, and waiting times: tests compare the routes and need short times. */
export interface McpTuning {
  /** Whether plain calls bypass the SDK. */
  plainCalls: boolean
  /** Milliseconds before a slow call gets a stream that the SDK keeps alive. */
  streamDelayMs: number
  /** The same in a session: shorter, since a client can resume only on an SDK stream. */
  sessionStreamDelayMs: number
  /** Milliseconds between keep-alive messages on an open stream of the current protocol; 0: never. */
  keepAliveMs: number
  /** Milliseconds for which a session's call continues after its client stopped waiting. */
  graceMs: number
}

export const defaultTuning: McpTuning = {
  plainCalls: true,
  streamDelayMs: 5000,
  sessionStreamDelayMs: 1000,
  keepAliveMs: 15_000,
  graceMs: 30_000,
}

/** An SDK server for one message or session: registers the methods and computes nothing anew. */
export function makeServer(
  served: ServerScope,
  options: ServerOptions,
  extras: TestExtensions | undefined,
): Server {
  const server = new ExactServer(served.app, options, {
    introduction: introductionOf(served.app),
    signature: served.era === 'modern' ? identity : undefined,
  })
  const answerers = answerersOf(served.app)
  const all = extras ? extras.extend(answerers, server, served) : answerers
  for (const [method, answerer] of Object.entries(all)) {
    const extension = extensionMethods[method]
    if (!extension) server.setRequestHandler(method as RequestMethod, answerer as never)
    else if (!extension.isModern || served.era === 'modern')
      server.setRequestHandler(
        method,
        { params: extension.params },
        async (params, context) => (await answerer({ params }, context)) as Result,
      )
  }
  return server
}

/**
 * Methods of extensions, with parameters unknown to the SDK. `isModern`: the extension exists only in the current
 * protocol.
 */
const extensionMethods: Record<string, { params: z.ZodType; isModern?: true }> = {
  'skills/list': { params: z.looseObject({ cursor: z.string().optional() }) },
  'skills/get': { params: z.looseObject({ uri: z.string() }) },
  'tasks/get': { params: z.looseObject({ taskId: z.string() }), isModern: true },
  'tasks/update': { params: z.looseObject({ taskId: z.string() }), isModern: true },
  'tasks/cancel': { params: z.looseObject({ taskId: z.string() }), isModern: true },
}

/** Created once: every server has the same, and a session should be cheap. */
const answerersByApp = new WeakMap<App, MethodHandlers>()

function answerersOf(app: App): MethodHandlers {
  const answerers = answerersByApp.get(app) ?? productHandlers(app)
  answerersByApp.set(app, answerers)
  return answerers
}

/**
 * The first page also has the files of the skills, for hosts that support only resources, and the views that the
 * client renders.
 */
async function listAllResources(
  app: App,
  caller: Caller,
  params: { cursor?: string } | undefined,
  message: ServerContext['mcpReq'],
) {
  const page = await listResources(app, caller, params, message)
  if (params?.cursor !== undefined) return page
  return {
    ...page,
    resources: [...page.resources, ...skillResources(app, caller), ...viewResources(app, caller)],
  }
}

function productHandlers(app: App): MethodHandlers {
  const all: Record<
    string,
    (
      carried: MessageContext,
      params: any,
      message: ServerContext['mcpReq'],
      context: ServerContext,
    ) => unknown
  > = {
    'tools/list': ({ caller }) => ({
      tools: toolsOf(caller.surface, { baseUrl: app.baseUrl, rendersApps: caller.rendersApps }),
    }),
    'tools/call': (carried, params, message, context) =>
      callTool(app, carried, params, { ...message, context }),
    'resources/list': ({ caller }, params, message) =>
      listAllResources(app, caller, params, message),
    'resources/templates/list': ({ caller }) => listTemplates(app, caller),
    'resources/read': ({ caller }, params, message) =>
      isSkillAddress(params.uri) || isViewAddress(params.uri)
        ? readShippedFile(app, caller, params.uri)
        : readResource(app, caller, params, message),
    'resources/subscribe': async ({ caller, followed }, { uri }, message) =>
      requireSession(followed)
        .add(caller, uri, message)
        .then(() => ({})),
    'resources/unsubscribe': ({ followed }, { uri }) => {
      requireSession(followed).remove(uri)
      return {}
    },
    'prompts/list': ({ caller }) => listPrompts(app, caller),
    'prompts/get': ({ caller }, params, message) => getPrompt(app, caller, params, message),
    'completion/complete': ({ caller }, params, message) => complete(app, caller, params, message),
    'skills/list': ({ caller }, params) => listSkills(app, caller, params),
    'skills/get': ({ caller }, params) => getSkill(app, caller, params),
    'tasks/get': ({ caller }, params, message) => getTask(app, caller, params, message),
    'tasks/update': ({ caller }, params, message) => updateTask(app, caller, params, message),
    'tasks/cancel': ({ caller }, params, message) => cancelTask(app, caller, params, message),
  }
  return Object.fromEntries(
    Object.entries(all).map(([method, answer]) => [
      method,
      (request: any, context: ServerContext) =>
        answer(messageContextIn(context), request.params, context.mcpReq, context),
    ]),
  )
}

/** Reads a skill or view and logs it, like every read. @throws ProtocolError if it is unavailable */
async function readShippedFile(app: App, caller: Caller, uri: string): Promise<ReadResourceResult> {
  const read = isSkillAddress(uri) ? readSkill : readView
  const answer = read(app, caller, uri)
  await recordAccess(app, caller.actor, requestFor(caller, 'resources/read', { uri }, {}))
  return answer
}

function requireSession(followed: FollowedResources | undefined): FollowedResources {
  if (followed) return followed
  throw new ProtocolError(
    ProtocolErrorCode.InvalidRequest,
    'Subscriptions require a session: send the Mcp-Session-Id returned by initialize, and accept text/event-stream.',
  )
}
