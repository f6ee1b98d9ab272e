import { accessScopeOf, type AccessScope, type Viewer } from './access-scope.ts'

/**
 * A read whose result is kept for the rest of the call: the second caller with the same access
 * scope gets the first one's promise. Only for calls that change nothing, since a change of what
 * was read is not noticed.
 */
export function perScope<T>(read: (viewer: Viewer) => Promise<T>): (viewer: Viewer) => Promise<T> {
  const cache = new WeakMap<AccessScope, Promise<T>>()
  return (from) => {
    const scope = accessScopeOf(from)
    const cached = cache.get(scope)
    if (cached !== undefined) return cached
    const result = read(from)
    cache.set(scope, result)
    return result
  }
}
