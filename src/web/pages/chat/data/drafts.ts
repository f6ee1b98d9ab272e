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
const empty: MessageDraft = { text: '', files: [] }
const listeners = new Set<() => void>()
const parsed = new Map<string, { raw: string; draft: MessageDraft }>()

if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(prefix)) notifyDraftListeners()
  })

/** Storage key of a draft in a channel, or in one of its threads. */
export const draftPlace = (channelId: string, threadId?: string) =>
  threadId === undefined ? channelId : `${channelId}/${threadId}`

/** A draft and its setter. It is stored on disk when `set` returns. */
export function useMessageDraft(place: string): [MessageDraft, (draft: MessageDraft) => void] {
  const { person } = useSignedIn()
  const key = `${prefix}${person.id} ${place}`
  const draft = useSyncExternalStore(
    subscribe,
    useCallback(() => readMessageDraft(key), [key]),
  )
  const set = useCallback((next: MessageDraft) => storeDraft(key, next), [key])
  return [draft, set]
}

/** The channels with drafts, including threads, joined by spaces: an unchanged string until they differ. */
export function useDraftChannels(): string {
  const { person } = useSignedIn()
  return useSyncExternalStore(
    subscribe,
    useCallback(() => channelsWithDrafts(person.id), [person.id]),
  )
}

/** Appends a text to a draft. */
export function addToDraft(personId: string, place: string, text: string): void {
  const key = `${prefix}${personId} ${place}`
  const before = readMessageDraft(key)
  const joined = before.text.trim() === '' ? text : `${before.text.trimEnd()}\n\n${text}`
  storeDraft(key, { ...before, text: joined })
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
  if (raw === null) return empty
  const cached = parsed.get(key)
  if (cached?.raw === raw) return cached.draft
  const draft = JSON.parse(raw) as MessageDraft
  parsed.set(key, { raw, draft })
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
