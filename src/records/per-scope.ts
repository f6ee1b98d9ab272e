import { accessScopeOf, type AccessScope, type Viewer } from './access-scope.ts'

/**
 * A read whose result is cached for the rest of the call: later callers with the same access scope get the first
 * one's promise. Only for calls that change nothing, since changes to the data are not noticed.
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
