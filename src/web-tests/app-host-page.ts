// The page of a host that shows views in the chat, with the official AppBridge; app-host.ts bundles it and handles its
// calls.

import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { McpUiHostCapabilities, McpUiHostContext } from '@modelcontextprotocol/ext-apps'
import type { CallToolResult } from '@modelcontextprotocol/client'

export interface ViewParams {
  html: string
  args: Record<string, unknown>
  result: CallToolResult
  capabilities: McpUiHostCapabilities
  context: McpUiHostContext
}

/** API that app-host.ts exposes to this page. */
interface HostApi {
  callTool(params: {
    name: string
    arguments?: Record<string, unknown> | undefined
  }): Promise<CallToolResult>
  noteFromView(kind: 'link' | 'context' | 'size', value: unknown): Promise<void>
}

declare global {
  interface Window {
    showView(view: ViewParams): Promise<void>
    changeContext(context: McpUiHostContext): void
    endView(): Promise<unknown>
  }
}

const hostApi = globalThis as unknown as HostApi
let bridge: AppBridge

window.showView = async ({ html, args, result, capabilities, context }) => {
  document.querySelector('iframe')?.remove()
  const frame = document.createElement('iframe')
  frame.title = 'View'
  frame.setAttribute('sandbox', 'allow-scripts')
  document.body.append(frame)
  const view = frame.contentWindow!
  bridge = new AppBridge(null, { name: 'test-host', version: '1' }, capabilities, {
    hostContext: context,
  })
  if (capabilities.serverTools) bridge.oncalltool = (params) => hostApi.callTool(params)
  bridge.onopenlink = async ({ url }) => {
    await hostApi.noteFromView('link', url)
    return {}
  }
  bridge.onupdatemodelcontext = async (update) => {
    await hostApi.noteFromView('context', update)
    return {}
  }
  bridge.addEventListener('sizechange', ({ height }) => {
    frame.style.height = `${height}px`
    void hostApi.noteFromView('size', height)
  })
  const initialized = new Promise<void>((resolve) => {
    bridge.addEventListener('initialized', () => resolve())
  })
  await bridge.connect(new PostMessageTransport(view, view))
  frame.srcdoc = html
  await initialized
  await bridge.sendToolInput({ arguments: args })
  await bridge.sendToolResult(result)
}

window.changeContext = (context) => bridge.setHostContext(context)
window.endView = () => bridge.teardownResource({})
