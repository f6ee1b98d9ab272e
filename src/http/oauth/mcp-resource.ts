import { Refusal } from '../../kernel/refusal.ts'
import type { App } from '../../operations/app.ts'
import { endpointPath, parseSelection } from '../../mcp/surface/selection.ts'
import { surfaceOf } from '../../mcp/surface/surface.ts'

/** Tool limits in the address of an MCP endpoint, as a connection stores them. */
export interface ResourceLimits {
  readOnly: boolean
  /** undefined for all modules. */
  toolsets: readonly string[] | undefined
}

/** Query parameters for a selection. Any other is not repeated in errors: it may be a secret in the wrong place. */
const selectionParameters = new Set([
  'toolsets',
  'tools',
  'exclude',
  'preset',
  'readonly',
  'output_schemas',
  'details',
])

/** The limits of an MCP address; undefined if MCP is not served there, or its selection is unknown. */
export function resourceLimits(app: App, resource: string): ResourceLimits | undefined {
  const { pathname, searchParams } = new URL(resource)
  if (pathname !== '/sse' && !endpointPath.test(pathname)) return undefined
  if ([...searchParams.keys()].some((name) => !selectionParameters.has(name))) return undefined
  const request = { url: resource, headers: new Headers() }
  try {
    surfaceOf(app, undefined, request)
    const { parts } = parseSelection(request)
    return {
      readOnly: parts.some((part) => part.readOnly),
      toolsets: modulesOf(
        app.catalogue.toolsets,
        parts.flatMap(({ toolsets }) => (toolsets ? [toolsets] : [])),
      ),
    }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

type Toolsets = readonly { module: string; readOnly: boolean }[]

/** Modules opened by every part of the address, read-only if one part says so. */
function modulesOf(
  all: readonly string[],
  partToolsets: readonly Toolsets[],
): string[] | undefined {
  if (partToolsets.length === 0) return undefined
  const allowed = all.flatMap((module) => {
    const accesses = partToolsets.map((toolsets) => accessIn(toolsets, module))
    if (accesses.includes(undefined)) return []
    return accesses.some((way) => way?.readOnly) ? [`${module}:ro`] : [module]
  })
  return allowed.length === all.length && allowed.every((text) => !text.endsWith(':ro'))
    ? undefined
    : allowed
}

function accessIn(toolsets: Toolsets, module: string): { readOnly: boolean } | undefined {
  const moduleToolsets = toolsets.filter((toolset) => toolset.module === module)
  const matching =
    moduleToolsets.length > 0
      ? moduleToolsets
      : toolsets.filter((toolset) => toolset.module === 'all')
  return matching.length === 0 ? undefined : { readOnly: matching.some((way) => way.readOnly) }
}
