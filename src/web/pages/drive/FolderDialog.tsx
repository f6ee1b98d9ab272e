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
  without?: string | undefined
  choose: (folder: ChosenFolder) => void
  close: () => void
}

/** Chooses a folder, browsing from the top of a drive. */
export function FolderDialog(props: FolderDialogProps) {
  const { title, action, driveId, currentId, without, choose, close } = props
  const [way, setWay] = useState<readonly ChosenFolder[]>([])
  const drives = useOperation('list_drives', { limit: 100 })
  const drive = drives.data?.items.find(({ id }) => id === driveId) ?? drives.data?.items[0]
  const here = way.at(-1) ?? (drive && { id: drive.root_folder_id, name: drive.name })
  return (
    <Dialog isOpen close={close} title={`${title}: ${here?.name ?? ''}`}>
      <div className={planning.form}>
        <nav className={planning.choices} aria-label={title}>
          <button type="button" className={planning.button} data-plain onClick={() => setWay([])}>
            {words.top}
          </button>
          {way.map((folder, index) => (
            <button
              key={folder.id}
              type="button"
              className={planning.button}
              data-plain
              onClick={() => setWay(way.slice(0, index + 1))}
            >
              {folder.name}
            </button>
          ))}
        </nav>
        {drive && (
          <Folders
            inside={way.at(-1)?.id}
            driveId={drive.id}
            without={without}
            enter={(folder) => setWay([...way, folder])}
          />
        )}
        <button
          type="button"
          className={planning.primary}
          disabled={!here || here.id === currentId}
          onClick={() => {
            close()
            if (here) choose(here)
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
  inside: string | undefined
  driveId: string
  without: string | undefined
  enter: (folder: ChosenFolder) => void
}

function Folders({ inside, driveId, without, enter }: FoldersProps) {
  const place = inside === undefined ? { drive_id: driveId } : { folder_id: inside }
  const { data } = useOperation('list_files', { ...place, limit: 100 })
  const folders = (data?.items ?? []).filter(({ type, id }) => type === 'folder' && id !== without)
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
