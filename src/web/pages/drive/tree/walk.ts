import type { KeyboardEvent } from 'react'

interface Walk {
  setOpen: (ids: readonly string[], isOpen: boolean) => void
  leave: () => void
}

const itemsIn = (within: Element) => [...within.querySelectorAll<HTMLElement>('[role=treeitem]')]

/** Handles a key in the folder tree (WAI-ARIA); returns whether it did something. */
export function walkTree(event: KeyboardEvent, tree: HTMLElement, walk: Walk): boolean {
  const items = itemsIn(tree)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const item = items[at]
  const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey
  if (!item || !isPlain || (event.shiftKey && event.key !== '*')) return false
  const targets: Record<string, HTMLElement | undefined> = {
    ArrowDown: items[at + 1],
    ArrowUp: items[at - 1],
    Home: items[0],
    End: items.at(-1),
  }
  if (event.key in targets) targets[event.key]?.focus()
  else if (event.key === 'ArrowRight') goIn(item, items[at + 1], walk)
  else if (event.key === 'ArrowLeft') goOut(item, walk)
  else if (event.key === '*') openBeside(item, walk)
  else if (event.key === 'Escape') walk.leave()
  else return false
  return true
}

const folderIdOf = (item: HTMLElement) => item.dataset.folder ?? ''
const groupOf = (item: Element | null) => item?.closest('[role=group]') ?? null

function goIn(item: HTMLElement, next: HTMLElement | undefined, { setOpen }: Walk): void {
  if (item.ariaExpanded === 'false') setOpen([folderIdOf(item)], true)
  else if (next && groupOf(next)?.parentElement === item.parentElement) next.focus()
}

function goOut(item: HTMLElement, { setOpen }: Walk): void {
  if (item.ariaExpanded === 'true') setOpen([folderIdOf(item)], false)
  else groupOf(item)?.parentElement?.querySelector<HTMLElement>('[role=treeitem]')?.focus()
}

function openBeside(item: HTMLElement, { setOpen }: Walk): void {
  const beside = itemsIn(item.closest('[role=group], [role=tree]') ?? item).filter(
    (other) => other.ariaLevel === item.ariaLevel && other.ariaExpanded === 'false',
  )
  setOpen(beside.map(folderIdOf), true)
}
