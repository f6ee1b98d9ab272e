import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { sessionKey, useSignedIn, type SessionState } from '../session/session.ts'
import { t } from '../texts/index.ts'
import { confirm } from './confirm.tsx'

/** Drafts by person and name, in memory. */
const drafts = new Map<string, unknown>()
/** True right after the person confirmed leaving: several forms of a page ask only once. */
let isLeaving = false

/**
 * Form values and their setter. Asks before they would be lost, and keeps them if the session ends: the same person
 * finds them after signing in again. `toComparable`: the significant part of the values.
 */
export function useDraft<T>(
  name: string,
  saved: T,
  toComparable: (values: T) => unknown = (values) => values,
): [values: T, set: (values: T) => void] {
  const { person } = useSignedIn()
  const client = useQueryClient()
  const key = `${person.id} ${name}`
  const [values, setValues] = useState<T>(() => (drafts.get(key) as T | undefined) ?? saved)
  const isDirty = JSON.stringify(toComparable(values)) !== JSON.stringify(toComparable(saved))
  useEffect(() => {
    if (isDirty) drafts.set(key, values)
    else drafts.delete(key)
  }, [key, values, isDirty])
  useEffect(
    () => () => {
      if (isSignedIn(client)) drafts.delete(key) // the person confirmed leaving
    },
    [key, client],
  )
  useBlocker({
    shouldBlockFn: async () => isDirty && isSignedIn(client) && !(await confirmLeave()),
    enableBeforeUnload: isDirty,
  })
  return [values, setValues]
}

function isSignedIn(client: QueryClient): boolean {
  return client.getQueryData<SessionState>(sessionKey)?.signed_in === true
}

async function confirmLeave(): Promise<boolean> {
  if (isLeaving) return true
  isLeaving = await confirm({ ...t.app.unsaved })
  setTimeout(() => {
    isLeaving = false
  })
  return isLeaving
}
