import { call, type Output } from '../../../api/client.ts'
import type { Message } from './rows.ts'

export type AssistantChange = Output<'list_activity'>['items'][number]

/** Changes that an assistant made before it wrote a message. */
export interface AssistantWork {
  /** Name of its key or automation; undefined if the history no longer contains the message. */
  assistantName: string | undefined
  /** Latest first; only items that the reader can see. */
  changes: readonly AssistantChange[]
}

/**
 * Maximum time from a change to the message that it is attributed to, if the assistant wrote no other message in
 * between.
 */
const maxDurationMs = 30 * 60_000
/** History entries have the time of their commit, which is slightly later than that of the message. */
const maxCommitDelayMs = 2000

/** @throws ApiError */
export async function fetchAssistantWork(
  message: Message,
  signal: AbortSignal,
): Promise<AssistantWork> {
  const sentAt = Date.parse(message.sent_at)
  const { items } = await call(
    'list_activity',
    {
      person_id: message.author.id,
      after: new Date(sentAt - maxDurationMs).toISOString(),
      before: new Date(sentAt + maxCommitDelayMs).toISOString(),
      limit: 100,
    },
    signal,
  )
  return workBefore(message.id, items)
}

/** The changes of a history, latest first, that a message's author made between its previous message and this one. */
export function workBefore(messageId: string, history: readonly AssistantChange[]): AssistantWork {
  const index = history.findIndex((change) => change.item.id === messageId && isPost(change))
  const post = history[index]
  if (!post) return { assistantName: undefined, changes: [] }
  const ownChanges = history.slice(index + 1).filter((change) => isSameAssistant(change, post))
  const previousPostIndex = ownChanges.findIndex(isPost)
  return {
    assistantName: post.automation?.title ?? post.key_name,
    changes: previousPostIndex === -1 ? ownChanges : ownChanges.slice(0, previousPostIndex),
  }
}

const isPost = ({ item, verb }: AssistantChange) =>
  item.type === 'message' && (verb === 'posted' || verb === 'created')

const isSameAssistant = (change: AssistantChange, post: AssistantChange) =>
  change.key_name === post.key_name &&
  change.automation?.id === post.automation?.id &&
  change.via === post.via
