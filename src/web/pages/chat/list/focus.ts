import { findChatMessage } from '../data/rows.ts'
import { setOpenPopup } from './open.ts'
import { messagesIn } from './scroll.ts'

/** The two lists of messages that a screen may have. */
export type ListName = 'channel' | 'thread'

const listNode = (name: ListName) => document.querySelector(`[data-list=${name}]`)

/** Puts the cursor into the text below a list: at once, so that the next key is typed there, or as soon as the list is on the screen. */
export function focusComposer(name: ListName): void {
  const focus = () => {
    const box = document.querySelector<HTMLElement>(`[data-composer=${name}] textarea`)
    box?.focus()
    return box !== null
  }
  if (!focus()) requestAnimationFrame(focus)
}

/** Goes from the text to the last message above it. */
export function focusLast(name: ListName): void {
  const list = listNode(name)
  const last = list && messagesIn(list).at(-1)
  if (last) last.focus({ preventScroll: true })
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

/** Opens one's last message of a list for editing. */
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
