import type { KeyboardEvent } from 'react'

interface TreeActions {
  setOpen: (ids: readonly string[], isOpen: boolean) => void
  leave: () => void
}

const itemsIn = (within: Element) => [...within.querySelectorAll<HTMLElement>('[role=treeitem]')]

/** Handles a key in the folder tree (WAI-ARIA); returns whether it did something. */
export function handleTreeKey(
  event: KeyboardEvent,
  tree: HTMLElement,
  actions: TreeActions,
): boolean {
  const items = itemsIn(tree)
  const index = items.indexOf(document.activeElement as HTMLElement)
  const item = items[index]
  const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey
  if (!item || !isPlain || (event.shiftKey && event.key !== '*')) return false
  const targets: Record<string, HTMLElement | undefined> = {
    ArrowDown: items[index + 1],
    ArrowUp: items[index - 1],
    Home: items[0],
    End: items.at(-1),
  }
  if (event.key in targets) targets[event.key]?.focus()
  else if (event.key === 'ArrowRight') openOrEnter(item, items[index + 1], actions)
  else if (event.key === 'ArrowLeft') closeOrLeave(item, actions)
  else if (event.key === '*') openSiblings(item, actions)
  else if (event.key === 'Escape') actions.leave()
  else return false
  return true
}

const folderIdOf = (item: HTMLElement) => item.dataset.folder ?? ''
const groupOf = (item: Element | null) => item?.closest('[role=group]') ?? null

function openOrEnter(
  item: HTMLElement,
  next: HTMLElement | undefined,
  { setOpen }: TreeActions,
): void {
  if (item.ariaExpanded === 'false') setOpen([folderIdOf(item)], true)
  else if (next && groupOf(next)?.parentElement === item.parentElement) next.focus()
}

function closeOrLeave(item: HTMLElement, { setOpen }: TreeActions): void {
  if (item.ariaExpanded === 'true') setOpen([folderIdOf(item)], false)
  else groupOf(item)?.parentElement?.querySelector<HTMLElement>('[role=treeitem]')?.focus()
}

function openSiblings(item: HTMLElement, { setOpen }: TreeActions): void {
  const siblings = itemsIn(item.closest('[role=group], [role=tree]') ?? item).filter(
    (other) => other.ariaLevel === item.ariaLevel && other.ariaExpanded === 'false',
  )
  setOpen(siblings.map(folderIdOf), true)
}
