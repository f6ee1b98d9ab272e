import { useDocumentTitle } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useOperation } from '../../api/queries.ts'
import { driveTexts as words } from '../../texts/en/company/drive.ts'
import { t } from '../../texts/index.ts'
import { Problem, QueryContent } from '../../ui/states.tsx'
import { Choices } from '../planning/Choices.tsx'
import planning from '../planning/planning.module.css'
import styles from './drive.module.css'
import { FileList, type FileFilter } from './list/FileList.tsx'
import { FolderView } from './FolderView.tsx'

const kinds = ['all', 'starred', 'trash'] as const
const filters: Record<Exclude<(typeof kinds)[number], 'all'>, FileFilter> = {
  starred: { starred: true },
  trash: { trashed: true },
}

/** A person's drives from the top level, starred files, and the trash. */
export function Drive() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const { show, drive: requestedDriveId } = useSearch({ strict: false }) as {
    show?: string
    drive?: string
  }
  const kind = kinds.find((option) => option === show) ?? 'all'
  const drives = useOperation('list_drives', { limit: 100 })
  return (
    <>
      <header className={planning.bar}>
        <h1>{words.title}</h1>
        <DriveFilterChoices kind={kind} />
      </header>
      {kind !== 'all' && <FileList filter={filters[kind]} empty={words.noneOf[kind]} />}
      {kind === 'all' && (
        <QueryContent query={drives}>
          {({ items }) => {
            const drive = items.find(({ id }) => id === requestedDriveId) ?? items[0]
            if (!drive) return <Problem error={new Error(words.empty.title)} />
            const quota = drive.quota_bytes
            return (
              <>
                <div className={styles.drives}>
                  {items.length > 1 && <DriveSelect drives={items} chosen={drive.id} />}
                  <span className={styles.used}>
                    {words.used(
                      t.items.bytes(drive.used_bytes),
                      quota === undefined ? undefined : t.items.bytes(quota),
                    )}
                  </span>
                  {drive.status === 'reauth_required' && <span>{words.reconnect}</span>}
                </div>
                <FolderView folderId={drive.root_folder_id} driveId={drive.id} />
              </>
            )
          }}
        </QueryContent>
      )}
    </>
  )
}

function DriveFilterChoices({ kind }: { kind: (typeof kinds)[number] }) {
  const navigate = useNavigate()
  return (
    <Choices
      label={words.shown}
      choices={kinds}
      selected={kind}
      choose={(name) =>
        void navigate({ to: '/files', search: name === 'all' ? {} : { show: name } })
      }
      names={words.kinds}
    />
  )
}

interface DrivesProps {
  drives: readonly { id: string; name: string; account?: string | undefined }[]
  chosen: string
}

function DriveSelect({ drives, chosen }: DrivesProps) {
  const navigate = useNavigate()
  return (
    <select
      className={styles.select}
      aria-label={words.drives}
      value={chosen}
      onChange={(event) =>
        void navigate({ to: '/files', search: { drive: event.currentTarget.value } })
      }
    >
      {drives.map(({ id, name, account }) => (
        <option key={id} value={id}>
          {account === undefined ? name : `${name} (${account})`}
        </option>
      ))}
    </select>
  )
}
