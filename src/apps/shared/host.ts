// The view's side of MCP Apps (SEP-1865, protocol 2026-01-26): JSON-RPC over postMessage with the host. The official
// package needs 540 KB for this.

import type {
  McpUiHostCapabilities,
  McpUiHostContext,
  McpUiInitializeResult,
} from '@modelcontextprotocol/ext-apps'
import { followSize } from './size.ts'
import { applyTheme } from './theme.ts'

/** Tool result as the host passes it on. */
export interface ToolResult {
  content?: { type: string; text?: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  _meta?: Record<string, unknown>
}

/** Callbacks of a view for messages from the host. */
export interface ViewListener {
  /** Receives the arguments of the call and its result. */
  onResult(args: Record<string, unknown>, result: ToolResult): void
  /** The call was cancelled; no result follows. */
  onCancelled(): void
  /** The host's theme, size or language has changed. */
  onContext(): void
}

/** The host of this view, after the handshake. */
export interface Host {
  /** Whether the view may call tools. */
  readonly canCall: boolean
  readonly canOpenLinks: boolean
  readonly context: McpUiHostContext
  /** Calls a tool with the rights of the connection. @throws HostError if the host does not forward it */
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>
  /** Opens an address outside of the view. @throws HostError if the host refuses */
  openLink(url: string): Promise<void>
  /** Registers the listener and tells the host that the view is ready for messages. */
  begin(listener: ViewListener): void
  /** Reports the person's action to the model for its next turn, if the host supports such notes. */
  note(text: string): void
}

/** The host refused something, or did not answer. */
export class HostError extends Error {}

const protocolVersion = '2026-01-26'
const answerTimeoutMs = 60_000

type Message = {
  id?: number | string
  method?: string
  params?: Record<string, unknown>
  result?: unknown
  error?: { message?: unknown }
}

interface PendingRequest {
  resolve(result: unknown): void
  reject(error: HostError): void
}

type Handlers = Record<string, (params: Record<string, unknown>) => void>

const pending = new Map<number, PendingRequest>()
let lastId = 0
let context: McpUiHostContext = {}
let handlers: Handlers = {}

/** Performs the handshake with the host. @throws HostError if none answers */
export async function connectHost(name: string): Promise<Host> {
  window.addEventListener('message', receive)
  const initialized = (await request('ui/initialize', {
    protocolVersion,
    appInfo: { name: `workspace-${name}`, version: '1' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  })) as McpUiInitializeResult
  changeContext(initialized.hostContext ?? {})
  return hostOf(initialized.hostCapabilities ?? {})
}

function hostOf(capabilities: McpUiHostCapabilities): Host {
  return {
    canCall: capabilities.serverTools !== undefined,
    canOpenLinks: capabilities.openLinks !== undefined,
    get context() {
      return context
    },
    begin(listener) {
      handlers = handlersOf(listener)
      notify('ui/notifications/initialized', {})
      followSize((size) => notify('ui/notifications/size-changed', size))
    },
    call: (name, args) => request('tools/call', { name, arguments: args }) as Promise<ToolResult>,
    async openLink(url) {
      const { isError } = (await request('ui/open-link', { url })) as { isError?: boolean }
      if (isError) throw new HostError('The host did not open the link.')
    },
    note(text) {
      if (!capabilities.updateModelContext) return
      const content = [{ type: 'text', text }]
      request('ui/update-model-context', { content }).catch(() => {
        // The change itself has been made; reporting it to the model is optional.
      })
    },
  }
}

function handlersOf(listener: ViewListener): Handlers {
  let toolArgs: Record<string, unknown> = {}
  return {
    'ui/notifications/tool-input': ({ arguments: args }) => {
      toolArgs = (args ?? {}) as Record<string, unknown>
    },
    'ui/notifications/tool-result': (params) => listener.onResult(toolArgs, params as ToolResult),
    'ui/notifications/tool-cancelled': () => listener.onCancelled(),
    'ui/notifications/host-context-changed': (params) => {
      changeContext(params)
      listener.onContext()
    },
  }
}

function changeContext(change: McpUiHostContext): void {
  context = { ...context, ...change }
  applyTheme(context)
}

/** Accepts messages from the host only. */
function receive({ source, data }: MessageEvent<Message | null>): void {
  if (source !== window.parent || typeof data !== 'object' || data === null) return
  const { id, method, params } = data
  if (method === undefined) settlePending(data)
  else if (id === undefined) handlers[method]?.(params ?? {})
  else answerHost(id, method)
}

function settlePending({ id, result, error }: Message): void {
  const pendingRequest = pending.get(id as number)
  pending.delete(id as number)
  if (!error) return pendingRequest?.resolve(result)
  const text = typeof error.message === 'string' ? error.message : 'no reason given'
  pendingRequest?.reject(new HostError(`The host refused: ${text}`))
}

/** Answers the host's ping or shutdown request. */
function answerHost(id: number | string, method: string): void {
  const isKnown = method === 'ping' || method === 'ui/resource-teardown'
  const outcome = isKnown
    ? { result: {} }
    : { error: { code: -32601, message: `Method not found: ${method}` } }
  postToHost({ id, ...outcome })
}

function request(method: string, params: object): Promise<unknown> {
  const id = ++lastId
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      pending.delete(id)
      reject(new HostError('The host did not answer within a minute.'))
    }, answerTimeoutMs)
    const stopTimer = () => clearTimeout(timer)
    pending.set(id, {
      resolve: (result) => {
        stopTimer()
        resolve(result)
      },
      reject: (error) => {
        stopTimer()
        reject(error)
      },
    })
    postToHost({ id, method, params })
  })
}

function notify(method: string, params: object): void {
  postToHost({ method, params })
}

/** Posts to any origin: a view cannot know its host's origin, and its parent is the host. */
function postToHost(message: object): void {
  window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
}
