import { lazy, Suspense } from 'react'
import { Loading } from '../../../ui/states.tsx'
import { useTakenOverMail } from './taken.ts'
import { usePendingApprovals } from './approvals.ts'

const Cards = lazy(() =>
  import('./WaitingCards.tsx').then((module) => ({ default: module.WaitingCards })),
)
const TakenOverMail = lazy(() =>
  import('./TakenOver.tsx').then((module) => ({ default: module.TakenOverMail })),
)

/** Calls that wait for the reader's approval and name this item; `ids`: the item and its parts. */
export function WaitingHere({ ids }: { ids: readonly string[] }) {
  const { data } = usePendingApprovals()
  const itemApprovals = (data?.items ?? []).filter(({ items }) =>
    items.some(({ id }) => ids.includes(id)),
  )
  const isEditing = useTakenOverMail() !== undefined
  if (itemApprovals.length === 0 && !isEditing) return null
  return (
    <Suspense fallback={<Loading />}>
      {itemApprovals.length > 0 && <Cards approvals={itemApprovals} />}
      {isEditing && <TakenOverMail />}
    </Suspense>
  )
}
