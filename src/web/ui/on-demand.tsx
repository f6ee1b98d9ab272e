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
import { giveKeys, keepKeys, leaveKeys } from './kept-keys.ts'

const leisureMs = 2000

const waiting: (() => Promise<void>)[] = []
let hasBegun = false
let isLoading = false

/**
 * A component loaded when first shown, or when the browser is idle after the first render; `fallback` is shown while
 * it is loading. Once loaded, it renders immediately.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback?: (props: P) => ReactNode,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined
  const Later = lazy(async () => {
    loaded = await loadPart(load)
    return { default: loaded }
  }) as ComponentType<P>
  waiting.push(async () => {
    loaded ??= await load()
  })
  if (hasBegun) loadWhenIdle()
  return function OnDemand(props: P) {
    const [Now] = useState(() => loaded) // one and the same as long as it is shown, since another would begin anew
    if (Now) return <Now {...props} />
    return (
      <Suspense fallback={fallback?.(props)}>
        <Later {...props} />
      </Suspense>
    )
  }
}

/** Loads the remaining parts one by one, once the initial data was read and the browser is idle. */
export function loadAtLeisure(): void {
  const leave = queries.getQueryCache().subscribe(() => {
    if (queries.isFetching() > 0) return
    leave()
    hasBegun = true
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
      return function WithKeptKeys(props: P) {
        useEffect(() => void giveKeys(), [])
        return <Part {...props} />
      }
    },
    () => <KeepKeys />,
  )
}

/** Placeholder of the part: buffers keys from the start. */
function KeepKeys() {
  useLayoutEffect(() => {
    keepKeys()
    return leaveKeys
  }, [])
  return null
}

function loadWhenIdle(): void {
  if (isLoading) return
  isLoading = true
  const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, leisureMs))
  whenIdle(() => void loadAll())
}

async function loadAll(): Promise<void> {
  try {
    for (let read = waiting.shift(); read !== undefined; read = waiting.shift()) await read()
  } catch {
    // Opening it loads it again, and then shows the error.
  }
  isLoading = false
}
