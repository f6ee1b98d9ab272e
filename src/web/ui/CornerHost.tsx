import { lazy, Suspense, useEffect, useState } from 'react'

const requestEvent = 'corner-wanted'
const loadCorner = () => import('./corner.tsx')
const Corner = lazy(() => loadCorner().then(({ Corner }) => ({ default: Corner })))

/** Loads the component that shows notices and questions, when it is first needed. Resolves once it is mounted. */
export async function ensureCorner() {
  window.dispatchEvent(new Event(requestEvent))
  const module = await loadCorner()
  await module.mounted
  return module
}

/** Mount point of the corner in the page. */
export function CornerHost() {
  const [isRequested, setRequested] = useState(false)
  useEffect(() => {
    const onRequest = () => setRequested(true)
    window.addEventListener(requestEvent, onRequest)
    return () => window.removeEventListener(requestEvent, onRequest)
  }, [])
  return isRequested ? (
    <Suspense>
      <Corner />
    </Suspense>
  ) : null
}
