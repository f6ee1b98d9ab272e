import { useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { driveTexts as words } from '../../texts/en/company/drive.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import planning from '../planning/planning.module.css'
import styles from './drive.module.css'

interface ChosenFolder {
  id: string
  name: string
}

interface FolderDialogProps {
  title: string
  /** Label of the button that selects the current folder. */
  action: string
  /** The drive to browse; by default, or if it is unavailable, the reader's first. */
  driveId?: string | undefined
  /** The current folder of the item. */
  currentId?: string | undefined
  /** A folder to exclude: the one being moved. */
  excludedId?: string | undefined
  choose: (folder: ChosenFolder) => void
  close: () => void
}

/** Chooses a folder, browsing from the top of a drive. */
export function FolderDialog(props: FolderDialogProps) {
  const { title, action, driveId, currentId, excludedId, choose, close } = props
  const [path, setPath] = useState<readonly ChosenFolder[]>([])
  const drives = useOperation('list_drives', { limit: 100 })
  const drive = drives.data?.items.find(({ id }) => id === driveId) ?? drives.data?.items[0]
  const currentFolder = path.at(-1) ?? (drive && { id: drive.root_folder_id, name: drive.name })
  return (
    <Dialog isOpen close={close} title={`${title}: ${currentFolder?.name ?? ''}`}>
      <div className={planning.form}>
        <nav className={planning.choices} aria-label={title}>
          <button type="button" className={planning.button} data-plain onClick={() => setPath([])}>
            {words.top}
          </button>
          {path.map((folder, index) => (
            <button
              key={folder.id}
              type="button"
              className={planning.button}
              data-plain
              onClick={() => setPath(path.slice(0, index + 1))}
            >
              {folder.name}
            </button>
          ))}
        </nav>
        {drive && (
          <Folders
            folderId={path.at(-1)?.id}
            driveId={drive.id}
            excludedId={excludedId}
            enter={(folder) => setPath([...path, folder])}
          />
        )}
        <button
          type="button"
          className={planning.primary}
          disabled={!currentFolder || currentFolder.id === currentId}
          onClick={() => {
            close()
            if (currentFolder) choose(currentFolder)
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  )
}

interface FoldersProps {
  /** The current folder; undefined at the top. */
  folderId: string | undefined
  driveId: string
  excludedId: string | undefined
  enter: (folder: ChosenFolder) => void
}

function Folders({ folderId, driveId, excludedId, enter }: FoldersProps) {
  const location = folderId === undefined ? { drive_id: driveId } : { folder_id: folderId }
  const { data } = useOperation('list_files', { ...location, limit: 100 })
  const folders = (data?.items ?? []).filter(
    ({ type, id }) => type === 'folder' && id !== excludedId,
  )
  return (
    <ul className={styles.folders}>
      {folders.map(({ id, name }) => (
        <li key={id}>
          <button
            type="button"
            className={planning.button}
            data-plain
            onClick={() => enter({ id, name })}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}
