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
 * A component that is loaded when it is first shown, or at leisure after the first look at a page; `fallback` stands in its place
 * while it is loaded. Once it is loaded it is there at once.
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

/** Loads what was left out of the first look, one after another, once all that it shows was read and the browser is idle. */
export function loadAtLeisure(): void {
  const leave = queries.getQueryCache().subscribe(() => {
    if (queries.isFetching() > 0) return
    leave()
    hasBegun = true
    loadWhenIdle()
  })
}

/** A part on demand that begins with a field: what is typed while it is loaded stands in the field once it is there. */
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

/** Stands where the part will: keys are kept from its first moment. */
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
    // Anyone who opens it loads it anew, and then hears what is in the way.
  }
  isLoading = false
}
