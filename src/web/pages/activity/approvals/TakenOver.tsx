import { lazy, Suspense, useEffect } from 'react'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Loading } from '../../../ui/states.tsx'
import { activityTexts as t } from '../texts.ts'
import { announceTaken, useTaken } from './taken.ts'

const Composer = lazy(() =>
  import('../../mail/compose/Composer.tsx').then((file) => ({ default: file.Composer })),
)

/** The mail taken over from a waiting call, shown over the page of the decision. */
export function TakenOver() {
  const composition = useTaken()
  useEffect(() => () => announceTaken(undefined), []) // it stays a draft where the screen is left
  if (!composition) return null
  const close = () => announceTaken(undefined)
  return (
    <Dialog isOpen isWide close={close} title={t.activity.approvals.takeOverTitle}>
      <Suspense fallback={<Loading />}>
        <Composer
          key={composition.name}
          composition={composition}
          close={close}
          reopen={announceTaken}
          saved={() => {}}
        />
      </Suspense>
    </Dialog>
  )
}
