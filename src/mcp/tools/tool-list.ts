// tools/list: operations as tools.

import type { Tool } from '@modelcontextprotocol/server'
import { omitNullish } from '../../kernel/present.ts'
import type { Kind } from '../../operations/any-operation.ts'
import { hintsOf } from '../../operations/catalogue.ts'
import type { Entry } from '../../operations/entry.ts'
import { iconsOf } from '../surface/icons.ts'
import { viewAddressFor } from '../apps/app-views.ts'
import { alwaysLoaded, callToolName } from '../surface/presets.ts'
import type { Surface } from '../surface/surface.ts'
import { callToolDefinition } from './call-tool.ts'
import { outputSchemaOf } from './output-schemas.ts'

/** Reader of a tool list. */
export interface ToolListReader {
  /** Address of the workspace, which serves the icons. */
  baseUrl: string
  /** Whether the client renders views: tools then include theirs. */
  rendersApps?: boolean | undefined
}

/** Tools of a connection, as in tools/list. */
export function toolsOf(surface: Surface, reader: ToolListReader): Tool[] {
  const listed = surface.listed.map((entry) => toolOf(entry, surface, reader))
  return surface.hasCallTool
    ? [
        ...listed,
        {
          ...callToolDefinition(surface),
          ...(surface.details ? appearanceOf(callToolName, 'system', reader) : {}),
          _meta: metaOf(callToolName, 'read')!,
        },
      ]
    : listed
}

/**
 * An operation as a tool. Omits the output schema and details that only some hosts show or search, unless requested:
 * every session pays for the list.
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
  const more = omitNullish({ outputSchema, _meta })
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
 * Omits annotations with default values or no meaning: a reading tool is not destructive. For writing tools,
 * destructiveness and external reach are always included, as hosts ask people based on them.
 */
function shortHints(hints: ReturnType<typeof hintsOf>): Tool['annotations'] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = hints
  if (readOnlyHint) return { readOnlyHint, openWorldHint }
  return { destructiveHint, ...(idempotentHint ? { idempotentHint } : {}), openWorldHint }
}

/**
 * Characters of a result that a host must not truncate; the maximum allowed. Our own limit is lower, and says how to
 * continue.
 */
const maxResultMeta = { 'anthropic/maxResultSizeChars': 500_000 }

/**
 * Hints that some hosts follow: tools to load without a search, additional search terms, and the maximum length of
 * results.
 */
function metaOf(name: string, kind: Kind, hint?: string): Record<string, unknown> | undefined {
  const meta = {
    ...(alwaysLoaded.has(name) ? { 'anthropic/alwaysLoad': true } : {}),
    ...(hint ? { 'anthropic/searchHint': hint } : {}),
    ...(kind === 'read' ? maxResultMeta : {}),
  }
  return Object.keys(meta).length > 0 ? meta : undefined
}

/** Turns `list_labels` into "List labels". */
function toolTitleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
}
