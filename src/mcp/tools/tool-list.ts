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
  /** Of the workspace, which serves the icons. */
  baseUrl: string
  /** Whether the client renders views: then tools come with theirs. */
  rendersApps?: boolean | undefined
}

/** The tools of a connection, as tools/list shows them. */
export function toolsOf(surface: Surface, reader: ToolListReader): Tool[] {
  const listed = surface.listed.map((entry) => toolOf(entry, surface.outputSchemas, reader))
  return surface.callsByName
    ? [
        ...listed,
        {
          ...callToolTool(surface),
          title: titleOf(callToolName),
          icons: iconsOf(reader.baseUrl, 'system'),
          _meta: metaOf(callToolName, 'read')!,
        },
      ]
    : listed
}

/** An operation as tools/list shows it. Without an output schema, unless asked for: it would double the list, and every session pays for it. */
function toolOf(entry: Entry, withOutput: boolean, { baseUrl, rendersApps }: ToolListReader): Tool {
  const { name, about, kind, searchHint } = entry.operation
  const inputSchema = entry.schemas.toolJson as Tool['inputSchema']
  const outputSchema = withOutput ? outputSchemaOf(entry) : undefined
  const resourceUri = rendersApps ? viewAddressFor(name) : undefined
  const ownMeta = metaOf(name, kind, searchHint)
  const _meta = resourceUri === undefined ? ownMeta : { ...ownMeta, ui: { resourceUri } }
  const more = present({ outputSchema, _meta })
  return {
    name,
    title: titleOf(name),
    icons: iconsOf(baseUrl, entry.module),
    description: about,
    inputSchema,
    annotations: hintsOf(entry.operation),
    ...more,
  }
}

/** Characters of a result up to which a host shall not cut it; the most that can be said. Our own limit is below, and tells how to go on. */
const largestResult = { 'anthropic/maxResultSizeChars': 500_000 }

/** What some hosts heed: which tools not to put off until they are searched for, what else they are searched by, how long results may be. */
function metaOf(name: string, kind: Kind, hint?: string): Record<string, unknown> | undefined {
  const meta = {
    ...(alwaysLoaded.has(name) ? { 'anthropic/alwaysLoad': true } : {}),
    ...(hint ? { 'anthropic/searchHint': hint } : {}),
    ...(kind === 'read' ? largestResult : {}),
  }
  return Object.keys(meta).length > 0 ? meta : undefined
}

/** `list_labels` is "List labels". */
function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
}
