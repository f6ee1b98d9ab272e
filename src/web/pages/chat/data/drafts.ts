// Unsent drafts, by place: stored in this browser until they are sent, shared by all its tabs.

import { useCallback, useSyncExternalStore } from 'react'
import { useSignedIn } from '../../../session/session.ts'

interface DraftFile {
  id: string
  title: string
}

export interface MessageDraft {
  text: string
  files: readonly DraftFile[]
}

const prefix = 'workspace.draft chat '
const emptyDraft: MessageDraft = { text: '', files: [] }
const listeners = new Set<() => void>()
const parsedDrafts = new Map<string, { raw: string; draft: MessageDraft }>()

if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(prefix)) notifyDraftListeners()
  })

/** Storage key of a draft in a channel, or in one of its threads. */
export const draftKeyOf = (channelId: string, threadId?: string) =>
  threadId === undefined ? channelId : `${channelId}/${threadId}`

/** A draft and its setter. The draft is stored when the setter returns. */
export function useMessageDraft(draftKey: string): [MessageDraft, (draft: MessageDraft) => void] {
  const { person } = useSignedIn()
  const key = `${prefix}${person.id} ${draftKey}`
  const draft = useSyncExternalStore(
    subscribe,
    useCallback(() => readMessageDraft(key), [key]),
  )
  const set = useCallback((next: MessageDraft) => storeDraft(key, next), [key])
  return [draft, set]
}

/** Ids of channels with drafts, also in their threads, joined by spaces: equal strings cause no rerender. */
export function useDraftChannels(): string {
  const { person } = useSignedIn()
  return useSyncExternalStore(
    subscribe,
    useCallback(() => channelsWithDrafts(person.id), [person.id]),
  )
}

/** Appends a text to a draft. */
export function addToDraft(personId: string, draftKey: string, text: string): void {
  const key = `${prefix}${personId} ${draftKey}`
  const existingDraft = readMessageDraft(key)
  const joined =
    existingDraft.text.trim() === '' ? text : `${existingDraft.text.trimEnd()}\n\n${text}`
  storeDraft(key, { ...existingDraft, text: joined })
}

function channelsWithDrafts(personId: string): string {
  const keyPrefix = `${prefix}${personId} `
  const keys = Array.from({ length: localStorage.length }, (_, n) => localStorage.key(n) ?? '')
  const channels = keys
    .filter((key) => key.startsWith(keyPrefix) && !isEmpty(readMessageDraft(key)))
    .map((key) => key.slice(keyPrefix.length).split('/')[0] ?? '')
  return [...new Set(channels)].sort().join(' ')
}

const isEmpty = ({ text, files }: MessageDraft) => text.trim() === '' && files.length === 0

function readMessageDraft(key: string): MessageDraft {
  const raw = localStorage.getItem(key)
  if (raw === null) return emptyDraft
  const cached = parsedDrafts.get(key)
  if (cached?.raw === raw) return cached.draft
  const draft = JSON.parse(raw) as MessageDraft
  parsedDrafts.set(key, { raw, draft })
  return draft
}

function storeDraft(key: string, draft: MessageDraft): void {
  if (draft.text === '' && draft.files.length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(draft))
  notifyDraftListeners()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function notifyDraftListeners(): void {
  for (const listener of [...listeners]) listener()
}
