import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSessionState } from '../session/session.ts'
import { Notices } from './Notices.tsx'
import { startStore } from './start.ts'
import type { StreamStart } from './stream/stream.ts'

/** Runs the store while a person is signed in, and shows its notifications. Mounted once. */
export function StoreHost() {
  const queries = useQueryClient()
  const { data: session } = useSessionState()
  const id = session?.signed_in ? session.person.id : undefined
  const title = session?.signed_in ? session.person.name : ''
  const streamStart = useRef<StreamStart>({ position: 0, cursor: '' })
  if (session?.signed_in)
    streamStart.current = { position: session.position, cursor: session.since_cursor }
  useEffect(() => {
    if (id !== undefined) return startStore({ id, title }, queries, streamStart.current)
  }, [id, title, queries])
  return <Notices />
}
