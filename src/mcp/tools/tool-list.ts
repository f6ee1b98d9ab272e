// tools/list: operations as tools.

import type { Tool } from '@modelcontextprotocol/server'
import { present } from '../../kernel/present.ts'
import type { Kind } from '../../operations/any-operation.ts'
import { hintsOf } from '../../operations/catalogue.ts'
import type { Entry } from '../../operations/entry.ts'
import { iconsOf } from '../surface/icons.ts'
import { viewAddressFor } from '../apps/app-views.ts'
import { alwaysLoaded, callToolName } from '../surface/presets.ts'
import type { Surface } from '../surface/surface.ts'
import { callToolTool } from './call-tool.ts'
import { outputSchemaOf } from './output-schemas.ts'

/** For whom tools are listed. */
export interface ToolListReader {
  /** Address of the workspace, which serves the icons. */
  baseUrl: string
  /** Whether the client renders views: then tools come with theirs. */
  rendersApps?: boolean | undefined
}

/** The tools of a connection, as tools/list shows them. */
export function toolsOf(surface: Surface, reader: ToolListReader): Tool[] {
  const listed = surface.listed.map((entry) => toolOf(entry, surface, reader))
  return surface.callsByName
    ? [
        ...listed,
        {
          ...callToolTool(surface),
          ...(surface.details ? appearanceOf(callToolName, 'system', reader) : {}),
          _meta: metaOf(callToolName, 'read')!,
        },
      ]
    : listed
}

/**
 * An operation as tools/list shows it. Without an output schema and what only some hosts show or search by, unless asked for: every session
 * pays for the list.
 */
function toolOf(
  entry: Entry,
  { outputSchemas, details }: Pick<Surface, 'outputSchemas' | 'details'>,
  reader: ToolListReader,
): Tool {
  const { name, about, kind, searchHint } = entry.operation
  const inputSchema = entry.schemas.toolJson as Tool['inputSchema']
  const outputSchema = outputSchemas ? outputSchemaOf(entry) : undefined
  const resourceUri = reader.rendersApps ? viewAddressFor(name) : undefined
  const ownMeta = metaOf(name, kind, details ? searchHint : undefined)
  const _meta = resourceUri === undefined ? ownMeta : { ...ownMeta, ui: { resourceUri } }
  const more = present({ outputSchema, _meta })
  return {
    name,
    ...(details ? appearanceOf(name, entry.module, reader) : {}),
    description: about,
    inputSchema,
    annotations: details ? hintsOf(entry.operation) : shortHints(hintsOf(entry.operation)),
    ...more,
  }
}

function appearanceOf(
  name: string,
  module: string,
  { baseUrl }: ToolListReader,
): Pick<Tool, 'title' | 'icons'> {
  return { title: toolTitleOf(name), icons: iconsOf(baseUrl, module) }
}

/**
 * Annotations without those that have the value of a missing one, or no meaning: a tool that reads destroys nothing. Whether a tool that
 * writes destroys, and whether it reaches outside, is always said, as hosts ask people by that.
 */
function shortHints(hints: ReturnType<typeof hintsOf>): Tool['annotations'] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = hints
  if (readOnlyHint) return { readOnlyHint, openWorldHint }
  return { destructiveHint, ...(idempotentHint ? { idempotentHint } : {}), openWorldHint }
}

/** Characters of a result up to which a host shall not cut it; the most that can be said. Our own limit is below, and tells how to go on. */
const largestResult = { 'anthropic/maxResultSizeChars': 500_000 }

/**
 * Hints that some hosts follow: tools to load without a search, additional search terms, and the maximum length of
 * results.
 */
function metaOf(name: string, kind: Kind, hint?: string): Record<string, unknown> | undefined {
  const meta = {
    ...(alwaysLoaded.has(name) ? { 'anthropic/alwaysLoad': true } : {}),
    ...(hint ? { 'anthropic/searchHint': hint } : {}),
    ...(kind === 'read' ? largestResult : {}),
  }
  return Object.keys(meta).length > 0 ? meta : undefined
}

/** `list_labels` is "List labels". */
function toolTitleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
}
