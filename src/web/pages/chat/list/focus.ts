import { findChatMessage } from '../data/rows.ts'
import { setOpenPopup } from './open.ts'
import { messagesIn } from './scroll.ts'

/** The two message lists of a page. */
export type ListName = 'channel' | 'thread'

const listNode = (name: ListName) => document.querySelector(`[data-list=${name}]`)

/**
 * Focuses the composer below a list: immediately, so that the next key is typed there, or once the list is rendered.
 */
export function focusComposer(name: ListName): void {
  const focus = () => {
    const box = document.querySelector<HTMLElement>(`[data-composer=${name}] textarea`)
    box?.focus()
    return box !== null
  }
  if (!focus()) requestAnimationFrame(focus)
}

/** Moves from the composer to the last message above it. */
export function focusLast(name: ListName): void {
  const list = listNode(name)
  const last = list && messagesIn(list).at(-1)
  if (last) last.focus({ preventScroll: true })
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

/** Opens the reader's last message of a list for editing. */
export function editLast(name: ListName, personId: string): void {
  const list = listNode(name)
  if (!list) return
  const ownMessage = messagesIn(list).findLast((node) => {
    const message = findChatMessage(node.dataset.message ?? '')
    return message?.author.id === personId && message.deleted_at === undefined && !message.imported
  })
  if (!ownMessage) return
  ownMessage.scrollIntoView({ block: 'nearest' })
  setOpenPopup({ kind: 'edit', id: ownMessage.dataset.message ?? '' })
}
