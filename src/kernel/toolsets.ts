/** Part of a module that a selection or a key opens. */
export interface Toolset {
  module: string
  /** Reading only. */
  readOnly: boolean
}

/** Parses `tasks`, `tasks:ro` (reading only) or `tasks:rw`; undefined for any other suffix. */
export function parseToolset(text: string): Toolset | undefined {
  const [, module, mode] = /^([^:]*)(?::(ro|rw))?$/.exec(text) ?? []
  return module === undefined ? undefined : { module, readOnly: mode === 'ro' }
}

/** The part of a module that a key's toolsets open, each module named once (`checkToolsets`); undefined: nothing. */
export function toolsetOf(toolsets: readonly string[], module: string): Toolset | undefined {
  for (const text of toolsets) {
    const toolset = text.startsWith(module) ? parseToolset(text) : undefined
    if (toolset?.module === module) return toolset
  }
  return undefined
}
