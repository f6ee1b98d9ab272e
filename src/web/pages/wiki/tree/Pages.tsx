import { IconFileText, IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { t } from '../../../texts/index.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { Page } from '../../../ui/Page.tsx'
import { Empty, Shown } from '../../../ui/states.tsx'
import planning from '../../planning/planning.module.css'
import { openImport } from '../../imports/open.ts'
import { FilteredTree } from './FilteredTree.tsx'
import { MoveList } from './MoveList.tsx'
import { NewPage } from './NewPage.tsx'
import { nodeWith, type PageNode } from './nodes.ts'
import { usePageTree } from './reading.ts'
import styles from './tree.module.css'

/** All visible pages as a tree. */
export function Pages() {
  const tree = usePageTree()
  const [making, setMaking] = useState<{ parent: PageNode | undefined }>()
  const make = () => setMaking({ parent: undefined })
  const bringIn = () => openImport({ kind: 'pages' })
  useCommands({ 'page.create': make, 'page.import': bringIn })
  const create = (
    <button type="button" className={planning.primary} onClick={make}>
      <IconPlus size={15} stroke={2} aria-hidden />
      {wiki.tree.create}
    </button>
  )
  return (
    <Page
      title={wiki.tree.title}
      actions={
        <>
          <button type="button" className={planning.button} onClick={bringIn}>
            {t.keys.commands['page.import']}
          </button>
          {create}
        </>
      }
    >
      <Shown query={tree}>
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

interface TreeProps {
  roots: readonly PageNode[]
  createBelow: (parent: PageNode) => void
}

function Tree({ roots, createBelow }: TreeProps) {
  const [moving, setMoving] = useState<{ node: PageNode; anchor: Element }>()
  const at = useRef<string>(undefined)
  useCommands({
    'page.createBelow': () => {
      const node = nodeWith(at.current, roots)
      if (!node) return false
      createBelow(node)
      return true
    },
    'page.move': () => {
      const node = nodeWith(at.current, roots)
      const anchor = document.querySelector(`[data-page="${node?.id}"]`)
      if (!node || !anchor) return false
      setMoving({ node, anchor })
      return true
    },
  })
  return (
    <>
      <p className={styles.help}>
        {wiki.tree.help} <KeyCombo command="page.moveUp" /> <KeyCombo command="page.moveDown" />{' '}
        <KeyCombo command="page.moveIn" /> <KeyCombo command="page.moveOut" />
      </p>
      <FilteredTree roots={roots} at={at} />
      {moving && <MoveList {...moving} roots={roots} close={() => setMoving(undefined)} />}
    </>
  )
}
