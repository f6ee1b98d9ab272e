import { IconFileText, IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { t } from '../../../texts/index.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
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
  const [newDialog, setNewDialog] = useState<{ parent: PageNode | undefined }>()
  const openNewDialog = () => setNewDialog({ parent: undefined })
  const importPages = () => openImport({ kind: 'pages' })
  useCommands({ 'page.create': openNewDialog, 'page.import': importPages })
  const createButton = (
    <button type="button" className={planning.primary} onClick={openNewDialog}>
      <IconPlus size={15} stroke={2} aria-hidden />
      {wiki.tree.create}
    </button>
  )
  return (
    <Page
      title={wiki.tree.title}
      actions={
        <>
          <button type="button" className={planning.button} onClick={importPages}>
            {t.keys.commands['page.import']}
          </button>
          {createButton}
        </>
      }
    >
      <QueryContent query={tree}>
        {(roots) =>
          roots.length === 0 ? (
            <EmptyState icon={IconFileText} {...wiki.tree.empty} action={createButton} />
          ) : (
            <Tree roots={roots} createBelow={(parent) => setNewDialog({ parent })} />
          )
        }
      </QueryContent>
      <NewPage
        isOpen={newDialog !== undefined}
        parent={newDialog?.parent}
        close={() => setNewDialog(undefined)}
      />
    </Page>
  )
}

interface TreeProps {
  roots: readonly PageNode[]
  createBelow: (parent: PageNode) => void
}

function Tree({ roots, createBelow }: TreeProps) {
  const [moveList, setMoveList] = useState<{ node: PageNode; anchor: Element }>()
  const currentRef = useRef<string>(undefined)
  useCommands({
    'page.createBelow': () => {
      const node = nodeWith(currentRef.current, roots)
      if (!node) return false
      createBelow(node)
      return true
    },
    'page.move': () => {
      const node = nodeWith(currentRef.current, roots)
      const anchor = document.querySelector(`[data-page="${node?.id}"]`)
      if (!node || !anchor) return false
      setMoveList({ node, anchor })
      return true
    },
  })
  return (
    <>
      <p className={styles.help}>
        {wiki.tree.help} <KeyCombo command="page.moveUp" /> <KeyCombo command="page.moveDown" />{' '}
        <KeyCombo command="page.moveIn" /> <KeyCombo command="page.moveOut" />
      </p>
      <FilteredTree roots={roots} currentRef={currentRef} />
      {moveList && <MoveList {...moveList} roots={roots} close={() => setMoveList(undefined)} />}
    </>
  )
}
