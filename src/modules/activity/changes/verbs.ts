/** Events that accompany another, more specific event of the same change. */
const genericVerbs = new Set(['updated', 'status_changed'])

/**
 * Describes a change in one word: created, deleted or restored; the most significant of its events (completed,
 * assigned, commented, member_added); or updated.
 */
export function verbOf(op: string, events: readonly string[]): string {
  if (op !== 'updated') return op
  const verbs = events.map((event) => event.slice(event.indexOf('.') + 1))
  const significantVerb =
    verbs.find((verb) => !genericVerbs.has(verb) && !verb.endsWith('_added')) ??
    verbs.find((verb) => !genericVerbs.has(verb)) ??
    verbs.find((verb) => verb !== 'updated')
  return significantVerb === 'comment_added' ? 'commented' : (significantVerb ?? 'updated')
}

type Via = 'web' | 'api' | 'mcp' | 'automation'

/** Callers as grouped in activity: the command line counts as an API caller, a synchronization runs by itself. */
const callersByVia: Record<
  Via,
  readonly ('web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli')[]
> = {
  web: ['web'],
  api: ['api', 'cli'],
  mcp: ['mcp'],
  automation: ['automation', 'sync'],
}

export const vias = ['web', 'api', 'mcp', 'automation'] as const

export function viaGroup(via: string): Via {
  return vias.find((item) => (callersByVia[item] as readonly string[]).includes(via)) ?? 'api'
}

export function viasOf(via: Via) {
  return callersByVia[via]
}
