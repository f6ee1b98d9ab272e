import { useEffect, useRef } from 'react'
import { importTexts as words } from '../../texts/en/imports/imports.ts'
import { useFileDrop } from '../../ui/actions/file-drop.ts'
import { Problem } from '../../ui/states.tsx'
import planning from '../planning/planning.module.css'
import styles from './imports.module.css'
import type { useImportSource } from './source.ts'

interface SourceFieldsProps {
  source: ReturnType<typeof useImportSource>
  about: string
  /** Accepted file types, in the format of the browser's file chooser. */
  accept: string
  canPaste?: boolean
}

/** The file to import: chosen, dropped, or pasted as text. */
export function SourceFields({ source, about, accept, canPaste = true }: SourceFieldsProps) {
  const { upload, error, choose } = source
  const drop = useFileDrop(([file]) => file && void choose(file))
  return (
    <section aria-label={words.source} className={styles.source} {...drop}>
      <label>
        {words.file}
        <input
          type="file"
          data-autofocus
          accept={accept}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) void choose(file)
          }}
        />
      </label>
      {canPaste && <PastedText source={source} />}
      <p className={planning.note}>
        {about} {words.drop} {words.nothingYet}
      </p>
      {upload && (
        <p className={styles.progress} role="status">
          <progress value={upload.part} aria-label={words.uploading(upload.name)} />
          <span className={planning.note}>{words.large}</span>
        </p>
      )}
      {error !== undefined && <Problem error={error} />}
    </section>
  )
}

const debounceMs = 400

function PastedText({ source: { choose, clear } }: Pick<SourceFieldsProps, 'source'>) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const handleText = (text: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => (text.trim() === '' ? clear() : void choose(new File([text], words.pasted))),
      debounceMs,
    )
  }
  return (
    <label>
      {words.paste}
      <textarea rows={2} onChange={(event) => handleText(event.currentTarget.value)} dir="auto" />
    </label>
  )
}
