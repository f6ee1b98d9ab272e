import { IconFileText, IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { wiki } from '../../../texts/en/wiki.ts'
import { Page } from '../../../ui/Page.tsx'
import { Empty, Shown } from '../../../ui/states.tsx'
import planning from '../../planning/planning.module.css'
import { destinationOf, type MoveStep } from './lines.ts'
import { MoveList } from './MoveList.tsx'
import { movePage } from './moves.ts'
import { NewPage } from './NewPage.tsx'
import { allNodes, nodeWith, type PageNode } from './nodes.ts'
import { PageTree, type TreeState } from './PageTree.tsx'
import { heldTree, usePageTree } from './reading.ts'
import styles from './tree.module.css'

/** All pages that one sees, as the tree in which they stand. */
export function Pages() {
  const found = usePageTree()
  const [making, setMaking] = useState<{ parent: PageNode | undefined }>()
  const make = () => setMaking({ parent: undefined })
  useCommands({ 'page.create': make })
  const create = (
    <button type="button" className={planning.primary} onClick={make}>
      <IconPlus size={15} stroke={2} aria-hidden />
      {wiki.tree.create}
    </button>
  )
  return (
    <Page title={wiki.tree.title} actions={create}>
      <Shown of={found}>
        {(roots) =>
          roots.length === 0 ? (
            <Empty icon={IconFileText} {...wiki.tree.empty} action={create} />
          ) : (
            <Tree roots={roots} createBelow={(parent) => setMaking({ parent })} />
          )
        }
      </Shown>
      <NewPage
        isOpen={making !== undefined}
        parent={making?.parent}
        close={() => setMaking(undefined)}
      />
    </Page>
  )
}

/** From how many pages on only the highest are shown at first. */
const maxOpenAtFirst = 100

/** Pages that were opened or closed by hand; they stay so while the app is open. */
const turned = new Set<string>()

function useTreeState(roots: readonly PageNode[]): TreeState {
  const [current, setCurrent] = useState<string>()
  const [, redraw] = useState(0)
  const isOpenAtFirst = [...allNodes(roots)].length <= maxOpenAtFirst
  const isOpen = ({ id }: PageNode) => turned.has(id) !== isOpenAtFirst
  return {
    isOpen,
    setOpen(node, wanted) {
      if (node.children.length === 0 || isOpen(node) === wanted) return
      if (turned.has(node.id)) turned.delete(node.id)
      else turned.add(node.id)
      redraw((count) => count + 1)
    },
    current,
    setCurrent,
  }
}

interface TreeProps {
  roots: readonly PageNode[]
  createBelow: (parent: PageNode) => void
}

function Tree({ roots, createBelow }: TreeProps) {
  const state = useTreeState(roots)
  const [moving, setMoving] = useState<{ node: PageNode; anchor: Element }>()
  const moved = useRef<string>(undefined)
  const here = () => nodeWith(state.current, roots)
  const before = useRef<Promise<unknown>>(Promise.resolve())
  const move = async (id: string, of: MoveStep) => {
    const tree = heldTree()
    const node = nodeWith(id, tree)
    const to = node && destinationOf(node, tree, of)
    if (!to) return
    if (to.parent) state.setOpen(to.parent, true)
    moved.current = id
    await movePage(node, to)
  }
  const step = (of: MoveStep) => () => {
    const { current } = state
    if (current === undefined) return false
    before.current = before.current.then(() => move(current, of)) // from where the step before has led
    return true
  }
  useCommands({
    'page.createBelow': () => {
      const node = here()
      if (!node) return false
      createBelow(node)
      return true
    },
    'page.move': () => {
      const node = here()
      const anchor = document.querySelector(`[data-page="${node?.id}"]`)
      if (!node || !anchor) return false
      setMoving({ node, anchor })
      return true
    },
    'page.moveUp': step('up'),
    'page.moveDown': step('down'),
    'page.moveIn': step('in'),
    'page.moveOut': step('out'),
  })
  return (
    <>
      <p className={styles.help}>
        {wiki.tree.help} <KeyCombo of="page.moveUp" /> <KeyCombo of="page.moveDown" />{' '}
        <KeyCombo of="page.moveIn" /> <KeyCombo of="page.moveOut" />
      </p>
      <PageTree roots={roots} moved={moved} {...state} />
      {moving && <MoveList {...moving} roots={roots} close={() => setMoving(undefined)} />}
    </>
  )
}
