import { useQuery } from '@tanstack/react-query'
import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { driveTexts } from '../../../texts/en/company/drive.ts'
import { t } from '../../../texts/index.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { deleteDraft } from '../../../ui/work/kept-drafts.ts'
import { DimmedText } from '../../items/Facts.tsx'
import planning from '../../planning/planning.module.css'
import { readFileText, type LoadedFile } from './content.ts'
import { fileDraftKey } from './draft.ts'
import styles from './edit.module.css'
import { useFileText } from './useFileText.ts'

const Conflicts = onDemand(() =>
  import('../../../ui/conflicts/Conflicts.tsx').then((part) => part.Conflicts),
)

const { edit: words } = driveTexts
const [minRows, maxRows] = [10, 30]

interface FileEditorProps {
  file: { id: string; name: string }
  close: () => void
}

interface OpenedFileProps extends FileEditorProps {
  /** Content shown if the file cannot be edited. */
  children: ReactNode
}

/** Edits the text of a file, or explains why it cannot be edited. */
export function FileEditor({ file, close, children }: OpenedFileProps) {
  const textQuery = useQuery({
    queryKey: ['file text', file.id],
    queryFn: () => readFileText(file.id),
    gcTime: 0,
    staleTime: Infinity, // changes by others are merged on saving
  })
  return (
    <QueryContent query={textQuery}>
      {(loaded) =>
        typeof loaded === 'string' ? (
          <>
            {children}
            <DimmedText>{words.reasons[loaded]}</DimmedText>
          </>
        ) : (
          <TextField file={file} loaded={loaded} close={close} />
        )
      }
    </QueryContent>
  )
}

interface TextFieldProps extends FileEditorProps {
  loaded: LoadedFile
}

function TextField({ file, loaded, close }: TextFieldProps) {
  const fileText = useFileText(file, loaded)
  const { text, isChanged, isFixed, conflict, save } = fileText
  const field = useRef<HTMLTextAreaElement>(null)
  const leave = async () => {
    if (isChanged && !(await confirm(words.discard))) return
    deleteDraft(fileDraftKey(file.id))
    close()
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.key !== 'Escape') return
    event.preventDefault()
    if (!isChanged) void leave()
  }
  const resolveConflict = (mergedText: string) => {
    fileText.resolveConflict(mergedText)
    field.current?.focus()
  }
  useCommands({ 'file.save': () => void save() })
  return (
    <div className={styles.editor}>
      {conflict && <Conflicts parts={conflict.parts} apply={resolveConflict} />}
      <textarea
        ref={field}
        className={styles.field}
        value={text}
        onChange={(event) => fileText.write(event.currentTarget.value)}
        onKeyDown={handleKeyDown}
        readOnly={isFixed}
        // biome-ignore lint/a11y/noAutofocus: the person opened the editor
        autoFocus
        spellCheck={false}
        rows={Math.min(maxRows, Math.max(minRows, text.split('\n').length + 1))}
        aria-label={words.label(file.name)}
        dir="auto"
      />
      <div className={styles.bar}>
        <button
          type="button"
          className={planning.button}
          disabled={!isChanged || isFixed}
          onClick={() => void save()}
        >
          {t.app.save} <KeyCombo command="file.save" />
        </button>
        <button type="button" className={planning.button} data-plain onClick={() => void leave()}>
          {isChanged ? t.app.cancel : words.close}
        </button>
        <span role="status" className={planning.note}>
          {words.standing[fileText.status]}
        </span>
      </div>
    </div>
  )
}
