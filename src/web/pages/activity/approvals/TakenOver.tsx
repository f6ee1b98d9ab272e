import { lazy, Suspense, useEffect } from 'react'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Loading } from '../../../ui/states.tsx'
import { activityTexts as t } from '../texts.ts'
import { setTakenOverMail, useTakenOverMail } from './taken.ts'

const Composer = lazy(() =>
  import('../../mail/compose/Composer.tsx').then((module) => ({ default: module.Composer })),
)

/** The mail taken over from a waiting call, shown over the page of the decision. */
export function TakenOverMail() {
  const composition = useTakenOverMail()
  useEffect(() => () => setTakenOverMail(undefined), []) // on leaving the page, it stays a draft
  if (!composition) return null
  const close = () => setTakenOverMail(undefined)
  return (
    <Dialog isOpen isWide close={close} title={t.activity.approvals.takeOverTitle}>
      <Suspense fallback={<Loading />}>
        <Composer
          key={composition.name}
          composition={composition}
          close={close}
          reopen={setTakenOverMail}
          saved={() => {}}
        />
      </Suspense>
    </Dialog>
  )
}
