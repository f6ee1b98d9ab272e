import { lazy, Suspense } from 'react'
import { Loading } from '../../../ui/states.tsx'
import { useTaken } from './taken.ts'
import { useWaiting } from './approvals.ts'

const Cards = lazy(() =>
  import('./WaitingCards.tsx').then((file) => ({ default: file.WaitingCards })),
)
const TakenOver = lazy(() =>
  import('./TakenOver.tsx').then((file) => ({ default: file.TakenOver })),
)

/** Calls that wait for the reader's approval and name this item; `ids`: the item and its parts. */
export function WaitingHere({ ids }: { ids: readonly string[] }) {
  const { data } = useWaiting()
  const here = (data?.items ?? []).filter(({ items }) => items.some(({ id }) => ids.includes(id)))
  const isEditing = useTaken() !== undefined
  if (here.length === 0 && !isEditing) return null
  return (
    <Suspense fallback={<Loading />}>
      {here.length > 0 && <Cards approvals={here} />}
      {isEditing && <TakenOver />}
    </Suspense>
  )
}
