import { useEffect, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { ApiError, errorMessage } from '../../../api/problem.ts'
import { randomId } from '../../../store/index.ts'
import type { Composition, MailValues } from './composition.ts'

const settleMs = 800
const retryMs = 5_000

export type StorageState =
  | { state: 'same' | 'saving' | 'saved' | 'kept' }
  | { state: 'refused'; problem: string }

/**
 * Saves a draft to the server during editing, from the first change: it is then in the account's Drafts folder.
 * `flush` saves pending changes and returns its id. Forwarded mail has no draft there; the browser stores its text.
 */
export function useDraftStorage(
  composition: Composition,
  values: MailValues,
  onSaved: (draftId: string, saved: MailValues) => void,
) {
  const [storageState, setStorageState] = useState<StorageState>({ state: 'same' })
  const server = useRef({
    id: composition.draftId,
    text: JSON.stringify(composition.start),
    key: randomId(),
    pendingSave: undefined as Promise<void> | undefined,
  })
  const latest = useRef(values)
  const text = JSON.stringify(values)
  useEffect(() => {
    latest.current = values
  })
  const save = async (isNeeded: boolean): Promise<void> => {
    const { current: stored } = server
    await stored.pendingSave?.catch(() => undefined)
    const sentText = JSON.stringify(latest.current)
    if (sentText === stored.text && !(isNeeded && stored.id === undefined)) return
    setStorageState({ state: 'saving' })
    const sent = latest.current
    stored.pendingSave = saveMailDraft(composition, stored.id, sent, stored.key).then((id) => {
      onSaved(id, sent)
      stored.id = id
      stored.text = sentText
    })
    try {
      await stored.pendingSave
      setStorageState({ state: 'saved' })
    } catch (error) {
      const isOffline = error instanceof ApiError && error.isOffline
      setStorageState(
        isOffline ? { state: 'kept' } : { state: 'refused', problem: errorMessage(error) },
      )
      throw error
    } finally {
      stored.pendingSave = undefined
    }
  }
  const latestSave = useRef(save)
  useEffect(() => {
    latestSave.current = save
  })
  const isAway = storageState.state === 'kept'
  useEffect(() => {
    if (composition.kind === 'forward' || text === server.current.text) return
    const retrySave = () => void latestSave.current(false).catch(() => undefined) // reported by the storage state
    const timer = setTimeout(retrySave, isAway ? retryMs : settleMs)
    window.addEventListener('online', retrySave)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', retrySave)
    }
  }, [composition.kind, text, isAway])
  return {
    saving: storageState,
    /** Saves the current draft to the server. @throws ApiError */
    flush: async (): Promise<string> => {
      await save(true)
      return server.current.id ?? ''
    },
    /** The draft to delete if the mail is discarded. */
    draftId: () => server.current.id,
  }
}

async function saveMailDraft(
  composition: Composition,
  draftId: string | undefined,
  { to, cc, bcc, subject, body, files }: MailValues,
  idempotency_key: string,
): Promise<string> {
  const fields = {
    to,
    cc,
    bcc,
    subject,
    body_markdown: body,
    attachment_file_ids: files.map(({ id }) => id),
  }
  if (draftId !== undefined)
    return (await call('update_email_draft', { draft_id: draftId, ...fields })).id
  const draft = await call('create_email_draft', {
    ...fields,
    idempotency_key,
    ...(composition.accountId === undefined ? {} : { account_id: composition.accountId }),
    ...(composition.kind === 'reply' && composition.emailId !== undefined
      ? { reply_to_email_id: composition.emailId }
      : {}),
  })
  return draft.id
}
