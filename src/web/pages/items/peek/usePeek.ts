import { useMediaQuery } from '@mantine/hooks'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Referred } from '../../../ui/ItemLink.tsx'
import { itemTypeOf } from '../../../ui/kinds.ts'

const isItem = (id: unknown): id is string => typeof id === 'string' && itemTypeOf(id) !== undefined

interface Peek {
  /** The item beside the screen. */
  id: string | undefined
  /** Undefined on small screens: links then open pages. */
  open: ((item: Referred) => void) | undefined
  close: () => void
}

/** The item beside a screen, as given in the address. When closed, the focus returns to the link that opened it. */
export function usePeek(): Peek {
  const { peek } = useSearch({ strict: false }) as { peek?: unknown }
  const hasRoom = useMediaQuery('(min-width: 1100px)', true, { getInitialValueInEffect: false })
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const from = useRef<Element>(null)
  const id = hasRoom && isItem(peek) ? peek : undefined
  const go = (next: string | undefined) =>
    void navigate({
      to: pathname,
      search: next === undefined ? {} : { peek: next },
      replace: id !== undefined,
      resetScroll: false,
    })
  const open = (item: Referred) => {
    from.current = document.activeElement
    go(item.id)
  }
  const close = () => {
    go(undefined)
    if (from.current instanceof HTMLElement) from.current.focus()
  }
  return { id, open: hasRoom ? open : undefined, close }
}
