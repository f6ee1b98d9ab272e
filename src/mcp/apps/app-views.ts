// MCP Apps (SEP-1865): views that a host renders in the chat for the results of some tools. `npm run build` makes a
// page for each from src/apps, with everything inlined.

import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/server'
import { builtApps } from '../../db/assets.ts'
import type { App } from '../../operations/app.ts'
import { mayUse } from '../resources/addresses.ts'
import type { Caller } from '../caller.ts'

interface AppView {
  /** Name of the view's folder in src/apps. */
  name: string
  title: string
  description: string
  /** Tools with results that it shows. */
  tools: readonly string[]
}

export const appViews: readonly AppView[] = [
  {
    name: 'task-board',
    title: 'Task board',
    description: 'Tasks in columns by status; moves and edits them',
    tools: ['list_tasks'],
  },
  {
    name: 'approval',
    title: 'Approval',
    description: 'A call that waits for its owner: what will go out, and what was decided',
    tools: ['get_approval'],
  },
  {
    name: 'meeting-slots',
    title: 'Meeting times',
    description: 'Times that suit everybody; creates the event at the one that is picked',
    tools: ['find_meeting_time'],
  },
]

const extension = 'io.modelcontextprotocol/ui'
const scheme = 'ui://'
const mimeType = 'text/html;profile=mcp-app'

/** Capability announced to clients. */
export const appsExtension = { [extension]: { mimeTypes: [mimeType] } }

/** No network origins: the host supplies the view's data. The page repeats this, for hosts that ignore it. */
const noNetwork = {
  connectDomains: [],
  resourceDomains: [],
  frameDomains: [],
  baseUriDomains: [],
}
const _meta = { ui: { csp: noNetwork, prefersBorder: true } }

/** Whether a client with these capabilities renders views. */
export function rendersApps(capabilities: unknown): boolean {
  const { extensions } = (capabilities ?? {}) as { extensions?: Record<string, unknown> | null }
  const { mimeTypes } = (extensions?.[extension] ?? {}) as { mimeTypes?: unknown }
  return Array.isArray(mimeTypes) && mimeTypes.includes(mimeType)
}

/** The same for a message of the current protocol, which states its client's capabilities. */
export function messageRendersApps(body: unknown): boolean {
  const { params } = (body ?? {}) as { params?: { _meta?: Record<string, unknown> | null } | null }
  return rendersApps(params?._meta?.[CLIENT_CAPABILITIES_META_KEY])
}

/** The view address for a tool; undefined if it has none, or the views were not built. */
export function viewAddressFor(tool: string): string | undefined {
  const view = appViews.find(({ tools }) => tools.includes(tool))
  return view && isBuilt(view) ? viewUriOf(view) : undefined
}

/** Whether an address has the form of a view address. */
export function isViewAddress(uri: string): boolean {
  return uri.startsWith(scheme)
}

/** The views as resources, for clients that render them. */
export function viewResources(app: App, caller: Caller): Resource[] {
  if (!caller.rendersApps) return []
  return viewsFor(app, caller).map((view) => ({
    uri: viewUriOf(view),
    name: view.name,
    title: view.title,
    description: view.description,
    mimeType,
    _meta,
  }))
}

/**
 * The page of a view: the same for all callers, without personal data. @throws ProtocolError if it is not available
 * to this caller
 */
export function readView(app: App, caller: Caller, uri: string): ReadResourceResult {
  const views = viewsFor(app, caller)
  const requestedView = views.find((view) => viewUriOf(view) === uri)
  if (requestedView)
    return { contents: [{ uri, mimeType, text: appViewHtml(requestedView), _meta }] }
  const available = views.map(viewUriOf).join(', ') || 'none for this key'
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `uri: there is no such view. Available: ${available}.`,
    { uri: uri.slice(0, 2000) },
  )
}

/** Views that belong to a tool which the connection may use. */
function viewsFor(app: App, caller: Caller): AppView[] {
  return appViews.filter(
    (view) => isBuilt(view) && view.tools.some((tool) => mayUse(app, caller, tool)),
  )
}

function viewUriOf({ name }: AppView): string {
  return `${scheme}workspace/${name}.html`
}

/** Pages by view name, each read once; a view that is built later is read at its first use. */
const pages = new Map<string, string>()

function isBuilt({ name }: AppView): boolean {
  return pages.has(name) || builtApps.has(`${name}.html`)
}

function appViewHtml({ name }: AppView): string {
  const page = pages.get(name) ?? builtApps.read(`${name}.html`).toString()
  pages.set(name, page)
  return page
}
