import { IconFolderOpen, IconLayoutGrid, IconList } from '@tabler/icons-react'
import { useState } from 'react'
import { useList } from '../../../api/queries.ts'
import type { Input } from '../../../api/client.ts'
import { useCommands } from '../../../keys/commands.ts'
import { useStoredChoice } from '../../../session/kept-choice.ts'
import { driveTexts as words } from '../../../texts/en/company/drive.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { Choices } from '../../planning/Choices.tsx'
import styles from '../drive.module.css'
import type { FileView } from './FileEntry.tsx'
import { FileRows } from './FileRows.tsx'

export type FileFilter = Pick<Input<'list_files'>, 'drive_id' | 'folder_id' | 'starred' | 'trashed'>

const views = ['list', 'grid'] as const
const icons = { list: IconList, grid: IconLayoutGrid }
const sorts = ['name', 'modified_at', 'size'] as const

interface FileListProps {
  filter: FileFilter
  /** Text if there are no files; default: that files can be dropped here. */
  empty?: string
}

/** Folders and files, a line or a tile each, with their actions at the end and by keyboard. */
export function FileList({ filter, empty }: FileListProps) {
  const [sort, setSort] = useState<(typeof sorts)[number]>('name')
  const [view, setView] = useStoredChoice<FileView>('drive-view', views)
  const files = useList('list_files', { ...filter, sort, limit: 100 })
  useCommands({ 'file.view': () => setView(view === 'list' ? 'grid' : 'list') })
  return (
    <div className={styles.list}>
      <div className={styles.sort}>
        <label className={styles.sortBy}>
          {words.sort}
          <select
            className={styles.select}
            value={sort}
            onChange={(event) => setSort(event.currentTarget.value as typeof sort)}
          >
            {sorts.map((name) => (
              <option key={name} value={name}>
                {words.sorts[name]}
              </option>
            ))}
          </select>
        </label>
        <Choices
          label={words.view}
          choices={views}
          selected={view}
          choose={setView}
          names={words.views}
          icons={icons}
          command="file.view"
        />
      </div>
      <QueryContent query={files}>
        {() =>
          files.items.length > 0 ? (
            <FileRows listing={files} view={view} isTrashed={filter.trashed === true} />
          ) : (
            <EmptyState
              icon={IconFolderOpen}
              {...(empty === undefined ? words.empty : { title: empty })}
            />
          )
        }
      </QueryContent>
      <MoreButton query={files} />
    </div>
  )
}
