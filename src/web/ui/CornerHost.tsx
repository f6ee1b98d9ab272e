import { lazy, Suspense, useEffect, useState } from 'react'

const wanting = 'corner-wanted'
const load = () => import('./corner.tsx')
const Corner = lazy(() => load().then(({ Corner }) => ({ default: Corner })))

/** What shows notices and asks questions, loaded for the first of them. Comes back when it hears what it is to show. */
export async function corner() {
  window.dispatchEvent(new Event(wanting))
  const loaded = await load()
  await loaded.mounted
  return loaded
}

/** The place of it in the page. */
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
