import { useState, type ReactNode } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { driveTexts } from '../../../texts/en/company/drive.ts'
import { fieldOnDemand } from '../../../ui/on-demand.tsx'
import { hasDraft } from '../../../ui/work/kept-drafts.ts'
import { DimmedText } from '../../items/Facts.tsx'
import planning from '../../planning/planning.module.css'
import { fileDraftKey } from './draft.ts'
import styles from './edit.module.css'
import { uneditableReason } from './file-text.ts'

const FileEditor = fieldOnDemand(() => import('./FileEditor.tsx').then((part) => part.FileEditor))

const { edit: words } = driveTexts

interface EditableFileProps {
  file: { id: string; name: string; mime_type: string; size_bytes: number }
  /** Content shown while it is not being edited. */
  children: ReactNode
}

/** Displays a file, with an editor for texts; resumes an unfinished edit. */
export function EditableFile({ file, children }: EditableFileProps) {
  const [isOpen, setOpen] = useState(() => hasDraft(fileDraftKey(file.id)))
  const reason = uneditableReason(file)
  const edit = () => setOpen(true)
  useCommands({ 'file.edit': isOpen || reason !== undefined ? undefined : edit })
  if (isOpen && reason === undefined)
    return (
      <FileEditor file={file} close={() => setOpen(false)}>
        {children}
      </FileEditor>
    )
  return (
    <>
      {children}
      {reason === undefined && (
        <button type="button" className={`${planning.button} ${styles.edit}`} onClick={edit}>
          {words.action} <KeyCombo command="file.edit" />
        </button>
      )}
      {reason === 'tooLarge' && <DimmedText>{words.reasons.tooLarge}</DimmedText>}
    </>
  )
}
