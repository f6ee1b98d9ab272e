import {
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { useNavigate } from '@tanstack/react-router'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { wiki } from '../../../texts/en/wiki.ts'
import { filterTree } from './filter.ts'
import { nodeWith, pathTo, type PageNode } from './nodes.ts'
import { PageTree } from './PageTree.tsx'
import { useTreeState, type TreeState } from './state.ts'
import styles from './tree.module.css'
import { useTreeMoves } from './useTreeMoves.ts'

interface FilteredTreeProps {
  roots: readonly PageNode[]
  /** The current page beside the tree. */
  pageId?: string | undefined
  /** Holds the current tree position. */
  at?: RefObject<string | undefined>
}

/** The page tree with a field that filters by title. */
export function FilteredTree({ roots, pageId, at }: FilteredTreeProps) {
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(typed.trim())
  const field = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const moved = useRef<string>(undefined)
  const navigate = useNavigate()
  const filtered = useMemo(() => filterTree(roots, query), [roots, query])
  const shownRoots = query === '' ? roots : filtered.roots
  const state = useTreeState(shownRoots, query, at)
  useTreeMoves(state, moved, pageId)
  useShown(pageId, query === '', roots, state)
  useCommands({
    'page.find': () => {
      field.current?.focus()
      field.current?.select()
    },
  })
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown')
      box.current?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus()
    else if (event.key === 'Enter' && query !== '' && filtered.first)
      void navigate({ to: `/pages/${filtered.first.id}` })
    else if (event.key === 'Escape' && typed !== '') setTyped('')
    else if (event.key === 'Escape') document.getElementById('content')?.focus()
    else return
    event.preventDefault()
  }
  return (
    <div ref={box} className={styles.box}>
      <label className={styles.filter}>
        <input
          ref={field}
          type="search"
          value={typed}
          aria-label={wiki.tree.filter}
          placeholder={wiki.tree.filter}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={pressed}
        />
        <KeyCombo command="page.find" />
      </label>
      <p className={styles.found} role="status">
        {query !== '' && wiki.tree.found(filtered.count)}
      </p>
      <PageTree
        roots={shownRoots}
        isFiltered={query !== ''}
        moved={moved}
        leave={() => field.current?.focus()}
        pageId={pageId}
        first={query === '' ? pageId : filtered.first?.id}
        {...state}
      />
    </div>
  )
}

/** Opens the ancestors of the current page, when it changes and once all pages are loaded. */
function useShown(
  id: string | undefined,
  isWhole: boolean,
  roots: readonly PageNode[],
  state: TreeState,
): void {
  const done = useRef<string>(undefined)
  useEffect(() => {
    const node = isWhole && id !== done.current ? nodeWith(id, roots) : undefined
    if (!node) return
    done.current = id
    state.setOpen(pathTo(node), true)
    state.setCurrent(node.id)
  })
}
