import { IconChevronRight, IconFolder, IconServer2 } from '@tabler/icons-react'
import { useContext, useEffect, type CSSProperties } from 'react'
import { useList } from '../../../api/queries.ts'
import { driveTexts as words } from '../../../texts/en/company/drive.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import type { DriveFile } from '../data.ts'
import { fileDragProps, useFolderDrop } from '../drag.ts'
import { openFolders } from './open.ts'
import styles from './tree.module.css'
import { TreeContext } from './tree-context.ts'

interface ShownFolder {
  id: string
  name: string
  /** The drive, if this is its top level. */
  driveId?: string
  /** The file to drag, if the folder can be moved. */
  file?: DriveFile
}

interface TreeFolderProps {
  folder: ShownFolder
  level: number
  isOpen: boolean
}

const group = { role: 'group' } as const // a fieldset is for forms

/** A folder of the tree, with its subfolders if open. */
export function TreeFolder({ folder, level, isOpen }: TreeFolderProps) {
  const { folders, isLeaf, rest } = useFolders(folder, isOpen)
  return (
    <div role="none">
      <FolderLink folder={folder} level={level} isOpen={isLeaf ? undefined : isOpen} />
      {isOpen && (folders.length > 0 || rest) && (
        <div {...group}>
          {folders.map((file) => (
            <TreeFolder
              key={file.id}
              folder={{ id: file.id, name: file.name, file }}
              level={level + 1}
              isOpen={openFolders.get(file.id) ?? false}
            />
          ))}
          {rest && <MoreItem level={level + 1} {...rest} />}
        </div>
      )}
    </div>
  )
}

interface FolderLinkProps {
  folder: ShownFolder
  level: number
  /** Undefined if it has no subfolders. */
  isOpen: boolean | undefined
}

function FolderLink({ folder, level, isOpen }: FolderLinkProps) {
  const { id, name, driveId, file } = folder
  const { shownId, tabStopId, setStop, setOpen, reveal } = useContext(TreeContext)
  const drop = useFolderDrop(folder)
  const isShown = id === shownId
  const Shape = driveId === undefined ? IconFolder : IconServer2
  useEffect(() => {
    if (isShown) reveal(id)
  }, [isShown, id, reveal])
  return (
    <RouterLink
      to={driveId === undefined ? `/files/${id}` : `/files?drive=${driveId}`}
      role="treeitem"
      aria-level={level}
      aria-expanded={isOpen}
      aria-selected={id === tabStopId}
      aria-current={isShown ? 'page' : undefined}
      tabIndex={id === tabStopId ? 0 : -1}
      className={styles.folder}
      style={indent(level)}
      title={name}
      data-folder={id}
      onFocus={() => setStop(id)}
      {...(file && fileDragProps(file))}
      {...drop}
    >
      <span
        className={styles.fold}
        data-open={isOpen || undefined}
        aria-hidden
        onClick={(event) => {
          if (isOpen === undefined) return
          event.preventDefault() // does not open the page of the folder
          setOpen([id], !isOpen)
        }}
      >
        {isOpen !== undefined && <IconChevronRight size={14} />}
      </span>
      <Shape size={15} stroke={1.6} aria-hidden />
      <span className={styles.name} dir="auto">
        {name}
      </span>
    </RouterLink>
  )
}

const indent = (level: number) => ({ '--level': Math.min(level, 12) }) as CSSProperties

/** Maximum pages of a drive's top level that are loaded automatically to find folders among the files. */
const maxPagesAtTop = 30

/** The subfolders of an open folder; `rest` if more can be loaded, or loading failed. */
function useFolders({ id, driveId }: ShownFolder, isOpen: boolean) {
  const list = useList(
    'list_files',
    driveId === undefined
      ? { folder_id: id, type: ['folder'], limit: 100 }
      : { drive_id: driveId, sort: 'name', limit: 100 }, // the file list has the same query; `type` would add all levels
    { enabled: isOpen },
  )
  const { hasNextPage, isFetching, isError, data, fetchNextPage } = list
  const shouldFetchMore =
    driveId !== undefined && hasNextPage && !isError && (data?.pages.length ?? 0) < maxPagesAtTop
  useEffect(() => {
    if (isOpen && shouldFetchMore && !isFetching) void fetchNextPage()
  }, [isOpen, shouldFetchMore, isFetching, fetchNextPage])
  const readOn = () => void (hasNextPage ? fetchNextPage() : list.refetch())
  const folders = list.items.filter(({ type }) => type === 'folder')
  return {
    folders,
    isLeaf: data !== undefined && !hasNextPage && folders.length === 0,
    rest: isError
      ? { text: words.tree.failed, readOn }
      : hasNextPage && !shouldFetchMore && { text: words.tree.more, readOn },
  }
}

function MoreItem({ level, text, readOn }: { level: number; text: string; readOn: () => void }) {
  return (
    <div role="none">
      <button
        type="button"
        role="treeitem"
        aria-level={level}
        tabIndex={-1}
        className={styles.folder}
        style={indent(level)}
        onClick={readOn}
      >
        <span className={styles.rest}>{text}</span>
      </button>
    </div>
  )
}
