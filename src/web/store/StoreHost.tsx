import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSessionState } from '../session/session.ts'
import { t } from '../texts/index.ts'
import { corner } from '../ui/CornerHost.tsx'
import { NoticeText } from './NoticeText.tsx'
import { startStore } from './start.ts'
import type { Notice } from './writing/notices.ts'

/** Lets the store live as long as somebody is signed in. Once in the app. */
export function StoreHost() {
  const queries = useQueryClient()
  const { data: session } = useSessionState()
  const id = session?.signed_in ? session.person.id : undefined
  const title = session?.signed_in ? session.person.name : ''
  useEffect(() => {
    if (id !== undefined) return startStore({ id, title }, queries, show)
  }, [id, title, queries])
  return null
}

function show(notice: Notice): void {
  void corner().then(({ notifications }) => {
    const id = notifications.show({
      color: notice.problem === undefined ? undefined : 'red',
      autoClose: notice.seconds > 0 && notice.seconds * 1000,
      withCloseButton: true,
      closeButtonProps: { 'aria-label': t.app.close },
      message: <NoticeText notice={notice} close={() => notifications.hide(id)} />,
    })
  })
}
