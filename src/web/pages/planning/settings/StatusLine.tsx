import { IconArrowDown, IconArrowUp, IconX, type Icon } from '@tabler/icons-react'
import { projectSettings } from '../../../texts/en/planning/project-settings.ts'
import { t } from '../../../texts/index.ts'
import { focusWhenShown } from '../../../ui/work/focus.ts'
import { StatusIcon } from '../../../ui/work/states.tsx'
import styles from './settings.module.css'
import type { Category, EditedStatus } from './statuses.ts'

const words = projectSettings.workflow
const categories = Object.keys(t.tasks.categories) as Category[]

interface StatusLineProps {
  status: EditedStatus
  mayEdit: boolean
  change: (set: Partial<EditedStatus>) => void
  move: (step: number) => void
  /** Undefined for the last remaining one. */
  remove?: () => void
}

/** A status of a project, edited in place. */
export function StatusLine({ status, mayEdit, change, move, remove }: StatusLineProps) {
  const { name, category, limit } = status
  if (!mayEdit)
    return (
      <li className={styles.line}>
        <StatusIcon category={category} />
        <span className={styles.name} dir="auto">
          {name}
        </span>
        <span className={styles.quiet}>{t.tasks.categories[category]}</span>
      </li>
    )
  return (
    <li className={styles.line}>
      <StatusIcon category={category} />
      <input
        className={styles.input}
        value={name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        aria-label={words.name}
        maxLength={60}
        dir="auto"
        ref={name === '' && status.was === undefined ? focusWhenShown : undefined}
      />
      <select
        className={styles.select}
        value={category}
        onChange={(event) => change({ category: event.currentTarget.value as Category })}
        aria-label={words.stage(name)}
      >
        {categories.map((value) => (
          <option key={value} value={value}>
            {t.tasks.categories[value]}
          </option>
        ))}
      </select>
      <input
        className={styles.limit}
        type="number"
        min={1}
        max={10_000}
        value={limit ?? ''}
        placeholder={words.limitHint}
        onChange={({ currentTarget: { value } }) =>
          change({ limit: value === '' ? undefined : Number(value) })
        }
        aria-label={words.limit(name)}
      />
      <span className={styles.tool}>
        <Tool label={words.up(name)} icon={IconArrowUp} press={() => move(-1)} />
        <Tool label={words.down(name)} icon={IconArrowDown} press={() => move(1)} />
        {remove && <Tool label={words.remove(name)} icon={IconX} press={remove} />}
      </span>
    </li>
  )
}

interface ToolProps {
  label: string
  icon: Icon
  press: () => void
}

function Tool({ label, icon: Mark, press }: ToolProps) {
  return (
    <button type="button" className={styles.icon} aria-label={label} onClick={press}>
      <Mark size={15} aria-hidden />
    </button>
  )
}
