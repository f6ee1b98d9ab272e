import { IconBinaryTree, IconFolderPlus, IconUpload } from '@tabler/icons-react'
import { useRef, useState, type ClipboardEvent } from 'react'
import { useCommands } from '../../keys/commands.ts'
import { tooltipOf } from '../../keys/tooltip.ts'
import { driveTexts as words } from '../../texts/en/company/drive.ts'
import { useFileDrop } from '../../ui/actions/file-drop.ts'
import planning from '../planning/planning.module.css'
import { createFolder } from './data.ts'
import styles from './drive.module.css'
import { FileList } from './list/FileList.tsx'
import { NameDialog } from './NameDialog.tsx'
import { FolderTree } from './tree/FolderTree.tsx'
import { useTree, type ShownTree } from './tree/useTree.ts'
import { UploadList } from './UploadList.tsx'
import { uploadInto, useUploadsInto } from './uploads.ts'

interface FolderViewProps {
  folderId: string
  /** The drive, if this is its top level. */
  driveId?: string | undefined
}

/** Contents of a folder, beside the folder tree. */
export function FolderView({ folderId, driveId }: FolderViewProps) {
  const tree = useTree()
  return (
    <div className={styles.beside} data-tree={tree.isShown || undefined}>
      {tree.isShown && (
        <FolderTree ref={tree.ref} folderId={folderId} leave={tree.leave} onDrawn={tree.drawn} />
      )}
      <FolderContent folderId={folderId} driveId={driveId} tree={tree} />
    </div>
  )
}

/** Accepts files dropped, pasted or chosen for upload into the folder. */
function FolderContent({ folderId, driveId, tree }: FolderViewProps & { tree: ShownTree }) {
  const [isNaming, setNaming] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const uploads = useUploadsInto(folderId)
  const add = (files: readonly File[]) => void uploadInto(folderId, files)
  const choose = () => chooser.current?.click()
  useCommands({ 'file.upload': choose, 'file.folder': () => setNaming(true) })
  const drop = useFileDrop(add)
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    add(files)
  }
  return (
    <section
      ref={tree.content}
      aria-label={words.title}
      className={styles.folder}
      {...drop}
      onPaste={paste}
    >
      <div className={planning.tools}>
        <button
          type="button"
          className={planning.button}
          aria-pressed={tree.isShown}
          title={tooltipOf('file.tree', words.tree.title)}
          onClick={tree.toggle}
        >
          <IconBinaryTree size={15} aria-hidden />
          {words.tree.title}
        </button>
        <button type="button" className={planning.primary} onClick={choose}>
          <IconUpload size={15} aria-hidden />
          {words.upload}
        </button>
        <button type="button" className={planning.button} onClick={() => setNaming(true)}>
          <IconFolderPlus size={15} aria-hidden />
          {words.createFolder}
        </button>
        <span className={styles.hint}>{words.drop}</span>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label={words.upload}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])]
            event.currentTarget.value = ''
            add(files)
          }}
        />
      </div>
      <UploadList uploads={uploads} choose={choose} />
      <FileList filter={driveId === undefined ? { folder_id: folderId } : { drive_id: driveId }} />
      {isNaming && (
        <NameDialog
          title={words.createFolder}
          label={words.folderName}
          action={words.create}
          name=""
          save={(name) => void createFolder(folderId, name)}
          close={() => setNaming(false)}
        />
      )}
    </section>
  )
}
