import { useCallback, useEffect, useReducer, useRef, useState, type Ref } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { driveTexts as words } from '../../../texts/en/company/drive.ts'
import { Shown } from '../../../ui/states.tsx'
import { openFolders, openWayTo } from './open.ts'
import styles from './tree.module.css'
import { TreeContext } from './tree-context.ts'
import { TreeFolder } from './TreeFolder.tsx'
import { walkTree } from './walk.ts'

interface FolderTreeProps {
  /** The folder shown beside it. */
  folderId: string
  /** Moves out of the tree. */
  leave: () => void
  /** Called once the tree is rendered. */
  drawn: () => void
  ref: Ref<HTMLElement>
}

/** The folders of the drives as a tree, loaded when opened. */
export function FolderTree({ ref, ...rest }: FolderTreeProps) {
  const drives = useOperation('list_drives', { limit: 100 })
  return (
    <nav ref={ref} className={styles.side} aria-label={words.tree.title}>
      <Shown query={drives}>{({ items }) => <Tree drives={items} {...rest} />}</Shown>
    </nav>
  )
}

interface TreeProps extends Omit<FolderTreeProps, 'ref'> {
  drives: readonly { id: string; name: string; root_folder_id: string }[]
}

function Tree({ drives, folderId, leave, drawn }: TreeProps) {
  const tree = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState(drives[0]?.root_folder_id)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const setOpen = (ids: readonly string[], isOpen: boolean) => {
    for (const id of ids) openFolders.set(id, isOpen)
    redraw()
  }
  const isWalked = useRef(false)
  const arrive = useCallback((id: string) => {
    setStop(id)
    const link = tree.current?.querySelector<HTMLElement>(`[data-folder="${id}"]`)
    link?.scrollIntoView({ block: 'nearest' })
    // a person who moved into the tree before it was loaded meant to
    if (!isWalked.current && tree.current?.contains(document.activeElement)) link?.focus()
  }, [])
  useWay(folderId, drives, redraw)
  useDrawn(drawn)
  return (
    <TreeContext value={{ shownId: folderId, stop, setStop, setOpen, arrive }}>
      <div
        ref={tree}
        role="tree"
        aria-label={words.tree.title}
        onKeyDown={(event) => {
          isWalked.current = true
          if (tree.current && walkTree(event, tree.current, { setOpen, leave }))
            event.preventDefault()
        }}
      >
        {drives.map(({ id, name, root_folder_id }) => (
          <TreeFolder
            key={id}
            folder={{ id: root_folder_id, name, driveId: id }}
            level={1}
            isOpen={openFolders.get(root_folder_id) ?? root_folder_id === drives[0]?.root_folder_id}
          />
        ))}
      </div>
    </TreeContext>
  )
}

/** Opens the ancestors of the displayed folder, once for each. */
function useWay(folderId: string, drives: TreeProps['drives'], redraw: () => void): void {
  const done = useRef<string>(undefined)
  useEffect(() => {
    if (done.current === folderId) return
    done.current = folderId
    const roots = new Set(drives.map(({ root_folder_id }) => root_folder_id))
    void openWayTo(folderId, roots).then(redraw)
  }, [folderId, drives, redraw])
}

function useDrawn(drawn: () => void): void {
  const latest = useRef(drawn)
  useEffect(() => latest.current(), [])
}
