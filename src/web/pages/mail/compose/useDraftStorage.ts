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
  const [saving, setSaving] = useState<StorageState>({ state: 'same' })
  const server = useRef({
    id: composition.draftId,
    text: JSON.stringify(composition.start),
    key: randomId(),
    flight: undefined as Promise<void> | undefined,
  })
  const latest = useRef(values)
  const text = JSON.stringify(values)
  useEffect(() => {
    latest.current = values
  })
  const save = async (isNeeded: boolean): Promise<void> => {
    const { current: stored } = server
    await stored.flight?.catch(() => undefined)
    const sent = JSON.stringify(latest.current)
    if (sent === stored.text && !(isNeeded && stored.id === undefined)) return
    setSaving({ state: 'saving' })
    const written = latest.current
    stored.flight = saveMailDraft(composition, stored.id, written, stored.key).then((id) => {
      onSaved(id, written)
      stored.id = id
      stored.text = sent
    })
    try {
      await stored.flight
      setSaving({ state: 'saved' })
    } catch (error) {
      const isAway = error instanceof ApiError && error.isOffline
      setSaving(isAway ? { state: 'kept' } : { state: 'refused', problem: errorMessage(error) })
      throw error
    } finally {
      stored.flight = undefined
    }
  }
  const latestSave = useRef(save)
  useEffect(() => {
    latestSave.current = save
  })
  const isAway = saving.state === 'kept'
  useEffect(() => {
    if (composition.kind === 'forward' || text === server.current.text) return
    const look = () => void latestSave.current(false).catch(() => undefined) // its state says so
    const timer = setTimeout(look, isAway ? retryMs : settleMs)
    window.addEventListener('online', look)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', look)
    }
  }, [composition.kind, text, isAway])
  return {
    saving,
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
  of: Composition,
  draftId: string | undefined,
  { to, cc, bcc, subject, body, files }: MailValues,
  idempotency_key: string,
): Promise<string> {
  const written = {
    to,
    cc,
    bcc,
    subject,
    body_markdown: body,
    attachment_file_ids: files.map(({ id }) => id),
  }
  if (draftId !== undefined)
    return (await call('update_email_draft', { draft_id: draftId, ...written })).id
  const draft = await call('create_email_draft', {
    ...written,
    idempotency_key,
    ...(of.accountId === undefined ? {} : { account_id: of.accountId }),
    ...(of.kind === 'reply' && of.emailId !== undefined ? { reply_to_email_id: of.emailId } : {}),
  })
  return draft.id
}
