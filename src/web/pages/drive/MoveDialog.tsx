import { driveTexts as words } from '../../texts/en/company/drive.ts'
import { notifyProblem } from '../../ui/confirm.tsx'
import { moveFile, type DriveFile } from './data.ts'
import { FolderDialog } from './FolderDialog.tsx'

interface MoveDialogProps {
  file: DriveFile
  close: () => void
}

/** Chooses the destination folder of a file or folder, in the same drive. */
export function MoveDialog({ file, close }: MoveDialogProps) {
  return (
    <FolderDialog
      title={words.moveTo}
      action={words.readers.action}
      driveId={file.drive?.id}
      currentId={file.parent_id}
      excludedId={file.id}
      choose={(folder) => void moveFile(file, folder).catch(notifyProblem)}
      close={close}
    />
  )
}
