import { useMediaQuery } from '@mantine/hooks'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import type { ItemReference } from '../../../ui/ItemLink.tsx'
import { itemTypeOf } from '../../../ui/kinds.ts'

const isItem = (id: unknown): id is string => typeof id === 'string' && itemTypeOf(id) !== undefined

interface Peek {
  /** The item beside the screen. */
  id: string | undefined
  /** Undefined on small screens: links then open pages. */
  open: ((item: ItemReference) => void) | undefined
  close: () => void
}

/** The item beside a screen, as given in the address. When closed, the focus returns to the link that opened it. */
export function usePeek(): Peek {
  const { peek } = useSearch({ strict: false }) as { peek?: unknown }
  const hasRoom = useMediaQuery('(min-width: 1100px)', true, { getInitialValueInEffect: false })
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const opener = useRef<Element>(null)
  const id = hasRoom && isItem(peek) ? peek : undefined
  const go = (nextId: string | undefined) =>
    void navigate({
      to: pathname,
      search: nextId === undefined ? {} : { peek: nextId },
      replace: id !== undefined,
      resetScroll: false,
    })
  const open = (item: ItemReference) => {
    opener.current = document.activeElement
    go(item.id)
  }
  const close = () => {
    go(undefined)
    if (opener.current instanceof HTMLElement) opener.current.focus()
  }
  return { id, open: hasRoom ? open : undefined, close }
}
