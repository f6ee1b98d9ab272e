import { useCallback, useEffect, useReducer, useRef, useState, type Ref } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { driveTexts as words } from '../../../texts/en/company/drive.ts'
import { QueryContent } from '../../../ui/states.tsx'
import { openFolders, openAncestors } from './open.ts'
import styles from './tree.module.css'
import { TreeContext } from './tree-context.ts'
import { TreeFolder } from './TreeFolder.tsx'
import { handleTreeKey } from './walk.ts'

interface FolderTreeProps {
  /** The folder shown beside it. */
  folderId: string
  /** Moves out of the tree. */
  leave: () => void
  /** Called once the tree is rendered. */
  onDrawn: () => void
  ref: Ref<HTMLElement>
}

/** The folders of the drives as a tree, loaded when opened. */
export function FolderTree({ ref, ...rest }: FolderTreeProps) {
  const drives = useOperation('list_drives', { limit: 100 })
  return (
    <nav ref={ref} className={styles.side} aria-label={words.tree.title}>
      <QueryContent query={drives}>{({ items }) => <Tree drives={items} {...rest} />}</QueryContent>
    </nav>
  )
}

interface TreeProps extends Omit<FolderTreeProps, 'ref'> {
  drives: readonly { id: string; name: string; root_folder_id: string }[]
}

function Tree({ drives, folderId, leave, onDrawn }: TreeProps) {
  const tree = useRef<HTMLDivElement>(null)
  const [tabStopId, setStop] = useState(drives[0]?.root_folder_id)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const setOpen = (ids: readonly string[], isOpen: boolean) => {
    for (const id of ids) openFolders.set(id, isOpen)
    redraw()
  }
  const isNavigated = useRef(false)
  const reveal = useCallback((id: string) => {
    setStop(id)
    const link = tree.current?.querySelector<HTMLElement>(`[data-folder="${id}"]`)
    link?.scrollIntoView({ block: 'nearest' })
    // follows only if the person entered the tree before it was loaded
    if (!isNavigated.current && tree.current?.contains(document.activeElement)) link?.focus()
  }, [])
  useOpenAncestors(folderId, drives, redraw)
  useOnMount(onDrawn)
  return (
    <TreeContext value={{ shownId: folderId, tabStopId, setStop, setOpen, reveal }}>
      <div
        ref={tree}
        role="tree"
        aria-label={words.tree.title}
        onKeyDown={(event) => {
          isNavigated.current = true
          if (tree.current && handleTreeKey(event, tree.current, { setOpen, leave }))
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
function useOpenAncestors(folderId: string, drives: TreeProps['drives'], redraw: () => void): void {
  const openedFor = useRef<string>(undefined)
  useEffect(() => {
    if (openedFor.current === folderId) return
    openedFor.current = folderId
    const roots = new Set(drives.map(({ root_folder_id }) => root_folder_id))
    void openAncestors(folderId, roots).then(redraw)
  }, [folderId, drives, redraw])
}

function useOnMount(drawn: () => void): void {
  const latest = useRef(drawn)
  useEffect(() => latest.current(), [])
}
