import type { DragEvent } from 'react'
import { notify } from '../../store/index.ts'
import { driveTexts as words } from '../../texts/en/company/drive.ts'
import { useFileDrop } from '../../ui/actions/file-drop.ts'
import { notifyProblem } from '../../ui/confirm.tsx'
import { moveFile, type DriveFile } from './data.ts'
import { uploadInto } from './uploads.ts'

/** The file being dragged within this page. */
let dragged: DriveFile | undefined

/** Props that make the link of a file draggable to a folder. */
export const draggedFile = (file: DriveFile) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    dragged = file
    event.dataTransfer.effectAllowed = 'copyMove'
  },
  onDragEnd: () => {
    dragged = undefined
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
  const on = useFileDrop((files) => folder && upload(folder, files), {
    isTaken: () =>
      dragged !== undefined && dragged.id !== folder?.id && dragged.parent_id !== folder?.id,
    drop: () => {
      if (dragged && folder) void moveFile(dragged, folder).catch(notifyProblem)
    },
  })
  return folder ? on : {}
}

function upload({ id, name }: DropFolder, files: readonly File[]): void {
  notify({ text: words.uploadingInto(files.length, name), seconds: 5, actions: [] })
  void uploadInto(id, files)
}
