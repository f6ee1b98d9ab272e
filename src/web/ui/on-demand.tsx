import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'
import { loadPart } from '../api/parts.ts'
import { queries } from '../api/queries.ts'
import { flushKeys, startBuffering, stopBufferingSoon } from './kept-keys.ts'

const idleDelayMs = 2000

const pendingLoads: (() => Promise<void>)[] = []
let hasStarted = false
let isLoading = false

/**
 * A component loaded when first shown, or when the browser is idle after the first render; `fallback` is shown while
 * it is loading. Once loaded, it renders immediately.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback?: (props: P) => ReactNode,
): ComponentType<P> {
  let component: ComponentType<P> | undefined
  const LazyPart = lazy(async () => {
    component = await loadPart(load)
    return { default: component }
  }) as ComponentType<P>
  pendingLoads.push(async () => {
    component ??= await load()
  })
  if (hasStarted) loadWhenIdle()
  return function OnDemand(props: P) {
    const [LoadedPart] = useState(() => component) // fixed while mounted: another component would lose the state
    if (LoadedPart) return <LoadedPart {...props} />
    return (
      <Suspense fallback={fallback?.(props)}>
        <LazyPart {...props} />
      </Suspense>
    )
  }
}

/** Loads the remaining parts one by one, once the initial data was read and the browser is idle. */
export function preloadParts(): void {
  const unsubscribe = queries.getQueryCache().subscribe(() => {
    if (queries.isFetching() > 0) return
    unsubscribe()
    hasStarted = true
    loadWhenIdle()
  })
}

/** A lazily loaded part that starts with a field: keys typed during loading are passed to the field. */
export function fieldOnDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  return onDemand<P>(
    async () => {
      const Part = await load()
      return function WithBufferedKeys(props: P) {
        useEffect(() => void flushKeys(), [])
        return <Part {...props} />
      }
    },
    () => <KeyBuffer />,
  )
}

/** Placeholder of the part: buffers keys from the start. */
function KeyBuffer() {
  useLayoutEffect(() => {
    startBuffering()
    return stopBufferingSoon
  }, [])
  return null
}

function loadWhenIdle(): void {
  if (isLoading) return
  isLoading = true
  const requestIdle =
    window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, idleDelayMs))
  requestIdle(() => void loadAll())
}

async function loadAll(): Promise<void> {
  try {
    for (let load = pendingLoads.shift(); load !== undefined; load = pendingLoads.shift())
      await load()
  } catch {
    // Opening the part loads it again, and then shows the error.
  }
  isLoading = false
}
