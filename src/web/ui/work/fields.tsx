import { useRef, useState, type ReactNode } from 'react'
import { useCommands } from '../../keys/commands.ts'
import type { CommandId } from '../../keys/keymap.ts'
import { t } from '../../texts/index.ts'
import { DayMenu } from './DayMenu.tsx'
import { relativeDay } from './days.ts'
import styles from './fields.module.css'
import { filterChoices, Picker, type Choice } from './Picker.tsx'

interface ValueFieldProps {
  label: string
  /** Current value; undefined if empty. */
  content: ReactNode
  isDisabled?: boolean
  /** A command that also opens it. */
  command?: CommandId | undefined
  menu: (anchor: Element, close: () => void) => ReactNode
}

/** A labelled value that opens its editor in place. */
export function ValueField({
  label,
  content: value,
  isDisabled = false,
  command,
  menu,
}: ValueFieldProps) {
  const [anchor, setAnchor] = useState<Element>()
  const button = useRef<HTMLButtonElement>(null)
  useCommands(
    command === undefined || isDisabled
      ? {}
      : { [command]: () => setAnchor(button.current ?? undefined) },
  )
  const content = value ?? <span className={styles.none}>{t.tasks.none}</span>
  return (
    <FieldLine label={label}>
      {isDisabled ? (
        <span className={styles.plain}>{content}</span>
      ) : (
        <button
          ref={button}
          type="button"
          className={styles.button}
          aria-haspopup="dialog"
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          {content}
        </button>
      )}
      {anchor && menu(anchor, () => setAnchor(undefined))}
    </FieldLine>
  )
}

/** The fields of an item, in a vertical list. */
export function FieldList({ children }: { children: ReactNode }) {
  return <dl className={styles.list}>{children}</dl>
}

function FieldLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.line}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A read-only value. */
export function PlainField({ label, children }: { label: string; children: ReactNode }) {
  return (
    <FieldLine label={label}>
      <span className={styles.plain}>{children}</span>
    </FieldLine>
  )
}

interface ChoiceFieldProps<V> {
  label: string
  content: ReactNode
  choices: readonly Choice<V>[]
  choose: (value: V) => void
  isDisabled?: boolean
}

/** A value chosen from a list. */
export function ChoiceField<V>({
  label,
  content,
  choices,
  choose,
  isDisabled,
}: ChoiceFieldProps<V>) {
  return (
    <ValueField
      label={label}
      content={content}
      isDisabled={isDisabled || choices.length === 0}
      menu={(anchor, close) => (
        <Picker
          anchor={anchor}
          close={close}
          label={label}
          choices={(query) => filterChoices(choices, query)}
          choose={choose}
        />
      )}
    />
  )
}

interface DayFieldProps {
  label: string
  day: string | undefined
  choose: (day: string | null) => void
  canClear?: boolean
  isDisabled?: boolean
}

/** A day, chosen from a menu or typed as a phrase. */
export function DayField({ label, day, choose, canClear = true, isDisabled }: DayFieldProps) {
  return (
    <ValueField
      label={label}
      content={day && <time dateTime={day}>{relativeDay(day)}</time>}
      isDisabled={isDisabled ?? false}
      menu={(anchor, close) => (
        <DayMenu
          anchor={anchor}
          close={close}
          label={label}
          days={[day]}
          canClear={canClear}
          choose={choose}
        />
      )}
    />
  )
}
