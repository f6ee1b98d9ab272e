import type { DragEvent } from 'react'
import { notify } from '../../store/index.ts'
import { driveTexts as words } from '../../texts/en/company/drive.ts'
import { useFileDrop } from '../../ui/actions/file-drop.ts'
import { notifyProblem } from '../../ui/confirm.tsx'
import { moveFile, type DriveFile } from './data.ts'
import { uploadInto } from './uploads.ts'

/** The file being dragged within this page. */
let currentFile: DriveFile | undefined

/** Props that make the link of a file draggable to a folder. */
export const fileDragProps = (file: DriveFile) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    currentFile = file
    event.dataTransfer.effectAllowed = 'copyMove'
  },
  onDragEnd: () => {
    currentFile = undefined
  },
})

interface DropFolder {
  id: string
  name: string
}

/**
 * Props that let a folder accept drops: a file of the drive is moved into it, files from disk are uploaded. Sets
 * `data-over` while something is dragged over it.
 */
export function useFolderDrop(folder: DropFolder | undefined) {
  const dropProps = useFileDrop((files) => folder && upload(folder, files), {
    isAccepted: () =>
      currentFile !== undefined &&
      currentFile.id !== folder?.id &&
      currentFile.parent_id !== folder?.id,
    drop: () => {
      if (currentFile && folder) void moveFile(currentFile, folder).catch(notifyProblem)
    },
  })
  return folder ? dropProps : {}
}

function upload({ id, name }: DropFolder, files: readonly File[]): void {
  notify({ text: words.uploadingInto(files.length, name), seconds: 5, actions: [] })
  void uploadInto(id, files)
}
