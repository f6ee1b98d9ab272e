import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '@tabler/icons-react'
import { useState, type DragEvent } from 'react'
import { formTexts } from '../../../texts/en/company/forms.ts'
import { FieldEditor } from './FieldEditor.tsx'
import type { FieldDraft } from './fields.ts'
import styles from './forms.module.css'
import { conditionSentence } from './sentences.ts'

const { builder: words, types, preview } = formTexts
const dragType = 'text/x-workspace-form-field'

interface FieldCardProps {
  draft: FieldDraft
  number: number
  count: number
  /** Questions that it may depend on. */
  earlier: readonly FieldDraft[]
  /** Number of answers. */
  answered: number
  isOpen: boolean
  open: () => void
  change: (draft: FieldDraft) => void
  move: (key: string, to: number) => void
  remove: () => void
}

/** A question in the list, expandable for editing. */
export function FieldCard(props: FieldCardProps) {
  const { draft, number, earlier, answered, isOpen, open, change, move } = props
  const [isOver, setOver] = useState(false)
  const condition = conditionSentence(draft, earlier)
  const isFieldDrag = (event: DragEvent) => event.dataTransfer.types.includes(dragType)
  return (
    <li
      className={styles.field}
      data-field={draft.key}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!isFieldDrag(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (!isFieldDrag(event)) return
        event.preventDefault()
        move(event.dataTransfer.getData(dragType), number)
      }}
    >
      <div className={styles.fieldHead}>
        <button
          type="button"
          className={styles.fieldName}
          aria-expanded={isOpen}
          data-row
          draggable
          title={words.drag}
          onDragStart={(event) => {
            event.dataTransfer.setData(dragType, draft.key)
            event.dataTransfer.effectAllowed = 'move'
          }}
          onClick={open}
        >
          <IconGripVertical size={14} className={styles.grip} aria-hidden />
          <span dir="auto">{draft.label === '' ? words.question : draft.label}</span>
          <span className={styles.fieldAbout}>
            {[types[draft.type], draft.required ? preview.required : '', condition]
              .filter((part) => part !== '')
              .join(' · ')}
          </span>
        </button>
        <Buttons {...props} />
      </div>
      {isOpen && <FieldEditor {...{ draft, earlier, answered, change }} />}
    </li>
  )
}

function Buttons({ draft, number, count, move, remove }: FieldCardProps) {
  const name = draft.label === '' ? words.question : draft.label
  const buttons = [
    {
      label: words.earlier(name),
      Shape: IconArrowUp,
      isDisabled: number === 0,
      run: () => move(draft.key, number - 1),
    },
    {
      label: words.later(name),
      Shape: IconArrowDown,
      isDisabled: number === count - 1,
      run: () => move(draft.key, number + 1),
    },
    { label: words.remove(name), Shape: IconX, isDisabled: count === 1, run: remove },
  ]
  return buttons.map(({ label, Shape, isDisabled, run }) => (
    <button
      key={label}
      type="button"
      className={styles.tool}
      aria-label={label}
      disabled={isDisabled}
      onClick={run}
    >
      <Shape size={14} aria-hidden />
    </button>
  ))
}
