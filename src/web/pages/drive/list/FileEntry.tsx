import { IconStarFilled } from '@tabler/icons-react'
import { memo } from 'react'
import { driveTexts as words } from '../../../texts/en/company/drive.ts'
import { t } from '../../../texts/index.ts'
import { RowLink } from '../../../ui/AppLink.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import planning from '../../planning/planning.module.css'
import type { DriveFile } from '../data.ts'
import { fileDragProps, useFolderDrop } from '../drag.ts'
import styles from '../drive.module.css'
import { FileIcon } from './FileMark.tsx'

/** Display of files, as lines or tiles. */
export type FileView = 'list' | 'grid'

/** A file or folder as a link, in a line or as a tile. It can be dragged to folders, and folders accept drops. */
export const FileEntry = memo(function FileEntry({
  file,
  view,
}: {
  file: DriveFile
  view: FileView
}) {
  const drop = useFolderDrop(file.type === 'folder' ? file : undefined)
  return (
    <RowLink
      to={`/files/${file.id}`}
      className={view === 'grid' ? styles.tile : `${planning.row} ${styles.line}`}
      data-row
      data-file={file.id}
      {...fileDragProps(file)}
      {...drop}
    >
      {view === 'grid' ? <Tile file={file} /> : <FileEntryLine file={file} />}
    </RowLink>
  )
})

function FileEntryLine({ file }: { file: DriveFile }) {
  return (
    <>
      <FileIcon type={file.type} />
      <span className={planning.name} dir="auto">
        {file.name}
      </span>
      {file.starred && <Star />}
      <span className={planning.fact} data-optional>
        {file.type !== 'folder' && t.items.bytes(file.size_bytes)}
      </span>
      <span className={planning.day}>
        <Ago time={file.modified_at} />
      </span>
      <Face
        id={file.modified_by.id}
        name={file.modified_by.title}
        label={words.changedBy(file.modified_by.title)}
      />
    </>
  )
}

function Tile({ file }: { file: DriveFile }) {
  return (
    <>
      <span className={styles.mark}>
        <FileIcon type={file.type} size={40} />
        {file.starred && <Star />}
      </span>
      <span className={styles.tileName} dir="auto" title={file.name}>
        {file.name}
      </span>
      <span className={styles.hint}>
        <Ago time={file.modified_at} />
      </span>
    </>
  )
}

function Star() {
  return (
    <IconStarFilled size={13} className={styles.star} role="img" aria-label={words.kinds.starred} />
  )
}
