import { useCommands } from '../../../keys/commands.ts'
import { useMe } from '../../../session/session.ts'
import { pinMessage } from '../data/changes.ts'
import { findChatMessage, type Message } from '../data/rows.ts'
import { askAndDelete, copyAddress, isUsable, type ListActions } from './actions.ts'
import { setOpenPopup } from './open.ts'
import { messagesIn } from './scroll.ts'

/** Keyboard commands for the focused message, in a channel or a thread. */
export function useMessageCommands({ openThread, quote }: ListActions): void {
  const me = useMe()
  const withMessage = (run: (message: Message, node: HTMLElement) => void) => () => {
    const node = focusedMessage()
    const message = node && findChatMessage(node.dataset.message ?? '')
    if (!node || !message || !isUsable(message)) return false
    return run(message, node)
  }
  const withOwn = (run: (message: Message) => void) =>
    withMessage((message) => (message.author.id === me.id ? run(message) : undefined))
  useCommands({
    'chat.next': () => moveBy(1),
    'chat.previous': () => moveBy(-1),
    'chat.thread': withMessage(openThread),
    'chat.react': withMessage((message, anchor) =>
      setOpenPopup({ kind: 'react', message, anchor }),
    ),
    'chat.edit': withOwn(({ id }) => setOpenPopup({ kind: 'edit', id })),
    'chat.quote': withMessage(quote),
    'chat.toTask': withMessage((message) => setOpenPopup({ kind: 'task', message })),
    'chat.pin': withMessage(pinMessage),
    'chat.work': withMessage((_, node) => toggleWork(node)),
    'chat.copyLink': withMessage((message) => void copyAddress(message)),
    'chat.delete': withOwn((message) => void askAndDelete(message)),
  })
}

/** Toggles the changes made by an assistant, and moves there. */
function toggleWork(node: HTMLElement): void {
  const work = node.querySelector<HTMLDetailsElement>('[data-work]')
  if (!work) return
  work.open = !work.open
  work.querySelector('summary')?.focus()
}

function focusedMessage(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[data-message]') ?? null
}

/** Moves to the message before or after the focused one; if none is focused, to the last message. */
function moveBy(step: 1 | -1): boolean {
  const focusedNode = focusedMessage()
  const list = focusedNode?.closest('[data-list]') ?? document.querySelector('[data-list]')
  if (!list) return false
  const nodes = messagesIn(list)
  const next = focusedNode ? nodes[nodes.indexOf(focusedNode) + step] : nodes.at(-1)
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
  return true
}
