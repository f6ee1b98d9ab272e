import { IconDots } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useCommands } from '../../keys/commands.ts'
import { driveTexts as words } from '../../texts/en/company/drive.ts'
import { filterChoices, Picker } from '../../ui/work/Picker.tsx'
import { copyFile, renameFile, restoreFile, trashFile, type DriveFile } from './data.ts'
import planning from '../planning/planning.module.css'
import styles from './drive.module.css'
import { MoveDialog } from './MoveDialog.tsx'
import { NameDialog } from './NameDialog.tsx'
import { starFile } from './stars.ts'
import { ShareDialog } from './sharing/ShareDialog.tsx'

interface FileActionsProps {
  file: DriveFile
  isTrashed: boolean
  /** True on the page of the file: keys work without focusing a row. */
  isPage?: boolean
}

type ActionWithDialog = 'rename' | 'move' | 'share'
type Action = ActionWithDialog | 'copy' | 'star' | 'unstar' | 'trash' | 'restore'

function actionsOf({ type, starred }: DriveFile, isTrashed: boolean): readonly Action[] {
  if (isTrashed) return ['restore']
  const copy: readonly Action[] = type === 'folder' ? [] : ['copy']
  return ['rename', 'move', ...copy, 'share', starred ? 'unstar' : 'star', 'trash']
}

/** Actions on a file or folder: in a menu, and by keys while its row has the focus. */
export function FileActions({ file, isTrashed, isPage = false }: FileActionsProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [anchor, setAnchor] = useState<Element>()
  const [openDialog, setOpenDialog] = useState<ActionWithDialog>()
  const actions = actionsOf(file, isTrashed)
  const act = (action: Action) => {
    if (action === 'copy') void copyFile(file)
    else if (action === 'star' || action === 'unstar') void starFile(file)
    else if (action === 'trash') void trashFile(file)
    else if (action === 'restore') void restoreFile(file)
    else setOpenDialog(action)
  }
  const keyHandler = (action: Action) => () => {
    const isFocused = isPage || button.current?.closest('li')?.contains(document.activeElement)
    if (!isFocused || !actions.includes(action)) return false
    act(action)
    return true
  }
  useCommands({
    'file.rename': keyHandler('rename'),
    'file.move': keyHandler('move'),
    'file.share': keyHandler('share'),
    'file.star': keyHandler(file.starred ? 'unstar' : 'star'),
    'file.trash': keyHandler('trash'),
  })
  return (
    <>
      <button
        ref={button}
        type="button"
        className={isPage ? planning.button : styles.dots}
        aria-haspopup="dialog"
        aria-label={words.actions(file.name)}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <IconDots size={16} aria-hidden />
      </button>
      {anchor && (
        <Picker
          anchor={anchor}
          label={words.actions(file.name)}
          choices={(query) =>
            filterChoices(
              actions.map((value) => ({ value, label: words.action[value] })),
              query,
            )
          }
          choose={act}
          close={() => setAnchor(undefined)}
        />
      )}
      {openDialog !== undefined && (
        <ActionDialog file={file} action={openDialog} close={() => setOpenDialog(undefined)} />
      )}
    </>
  )
}

interface ActionDialogProps {
  file: DriveFile
  action: ActionWithDialog
  close: () => void
}

function ActionDialog({ file, action, close }: ActionDialogProps) {
  if (action === 'move') return <MoveDialog file={file} close={close} />
  if (action === 'share') return <ShareDialog fileId={file.id} name={file.name} close={close} />
  return (
    <NameDialog
      title={words.rename}
      label={words.name}
      action={words.rename}
      name={file.name}
      save={(name) => void renameFile(file, name)}
      close={close}
    />
  )
}
