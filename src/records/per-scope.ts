import { accessScopeOf, type AccessScope, type Viewer } from './access-scope.ts'

/**
 * A read whose result is kept for the rest of the call: the second caller with the same access
 * scope gets the first one's promise. Only for calls that change nothing, since a change of what
 * was read is not noticed.
 */
export function perScope<T>(read: (from: Viewer) => Promise<T>): (from: Viewer) => Promise<T> {
  const kept = new WeakMap<AccessScope, Promise<T>>()
  return (from) => {
    const scope = accessScopeOf(from)
    const known = kept.get(scope)
    if (known !== undefined) return known
    const result = read(from)
    kept.set(scope, result)
    return result
  }
}
