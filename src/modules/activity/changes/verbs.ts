/** Events that accompany another, more specific event of the same change. */
const lesser = new Set(['updated', 'status_changed'])

/**
 * Describes a change in one word: created, deleted or restored; the most significant of its events (completed,
 * assigned, commented, member_added); or updated.
 */
export function verbOf(op: string, events: readonly string[]): string {
  if (op !== 'updated') return op
  const verbs = events.map((event) => event.slice(event.indexOf('.') + 1))
  const telling =
    verbs.find((verb) => !lesser.has(verb) && !verb.endsWith('_added')) ??
    verbs.find((verb) => !lesser.has(verb)) ??
    verbs.find((verb) => verb !== 'updated')
  return telling === 'comment_added' ? 'commented' : (telling ?? 'updated')
}

type Via = 'web' | 'api' | 'mcp' | 'automation'

/** Callers as grouped in activity: the command line counts as an API caller, a synchronization runs by itself. */
const groups: Record<Via, readonly ('web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli')[]> = {
  web: ['web'],
  api: ['api', 'cli'],
  mcp: ['mcp'],
  automation: ['automation', 'sync'],
}

export const vias = ['web', 'api', 'mcp', 'automation'] as const

export function viaShown(via: string): Via {
  return vias.find((item) => (groups[item] as readonly string[]).includes(via)) ?? 'api'
}

export function viasOf(via: Via) {
  return groups[via]
}
