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
import { nodeWith, ancestorsOf, type PageNode } from './nodes.ts'
import { PageTree } from './PageTree.tsx'
import { useTreeState, type TreeState } from './state.ts'
import styles from './tree.module.css'
import { useTreeMoves } from './useTreeMoves.ts'

interface FilteredTreeProps {
  roots: readonly PageNode[]
  /** The current page beside the tree. */
  pageId?: string | undefined
  /** Receives the id of the current page in the tree. */
  currentRef?: RefObject<string | undefined>
}

/** The page tree with a field that filters by title. */
export function FilteredTree({ roots, pageId, currentRef }: FilteredTreeProps) {
  const [filterText, setFilterText] = useState('')
  const query = useDeferredValue(filterText.trim())
  const field = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const movedId = useRef<string>(undefined)
  const navigate = useNavigate()
  const filtered = useMemo(() => filterTree(roots, query), [roots, query])
  const shownRoots = query === '' ? roots : filtered.roots
  const state = useTreeState(shownRoots, query, currentRef)
  useTreeMoves(state, movedId, pageId)
  useRevealedPage(pageId, query === '', roots, state)
  useCommands({
    'page.find': () => {
      field.current?.focus()
      field.current?.select()
    },
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown')
      box.current?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus()
    else if (event.key === 'Enter' && query !== '' && filtered.firstMatch)
      void navigate({ to: `/pages/${filtered.firstMatch.id}` })
    else if (event.key === 'Escape' && filterText !== '') setFilterText('')
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
          value={filterText}
          aria-label={wiki.tree.filter}
          placeholder={wiki.tree.filter}
          onChange={(event) => setFilterText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <KeyCombo command="page.find" />
      </label>
      <p className={styles.found} role="status">
        {query !== '' && wiki.tree.found(filtered.count)}
      </p>
      <PageTree
        roots={shownRoots}
        isFiltered={query !== ''}
        movedId={movedId}
        leave={() => field.current?.focus()}
        pageId={pageId}
        initialId={query === '' ? pageId : filtered.firstMatch?.id}
        {...state}
      />
    </div>
  )
}

/** Opens the ancestors of the current page, when it changes and once all pages are loaded. */
function useRevealedPage(
  id: string | undefined,
  isUnfiltered: boolean,
  roots: readonly PageNode[],
  state: TreeState,
): void {
  const revealedId = useRef<string>(undefined)
  useEffect(() => {
    const node = isUnfiltered && id !== revealedId.current ? nodeWith(id, roots) : undefined
    if (!node) return
    revealedId.current = id
    state.setOpen(ancestorsOf(node), true)
    state.setCurrent(node.id)
  })
}
