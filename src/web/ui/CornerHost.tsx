import { lazy, Suspense, useEffect, useState } from 'react'

const wanting = 'corner-wanted'
const loadCorner = () => import('./corner.tsx')
const Corner = lazy(() => loadCorner().then(({ Corner }) => ({ default: Corner })))

/** Loads the component that shows notices and questions, for the first of them. Resolves once it is listening. */
export async function corner() {
  window.dispatchEvent(new Event(wanting))
  const loaded = await loadCorner()
  await loaded.mounted
  return loaded
}

/** Its mount point in the page. */
export function CornerHost() {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    const want = () => setWanted(true)
    window.addEventListener(wanting, want)
    return () => window.removeEventListener(wanting, want)
  }, [])
  return isWanted ? (
    <Suspense>
      <Corner />
    </Suspense>
  ) : null
}
