import { IconArrowDown, IconArrowUp, IconX, type Icon } from '@tabler/icons-react'
import { projectSettings } from '../../../texts/en/planning/project-settings.ts'
import { t } from '../../../texts/index.ts'
import { focusOnMount } from '../../../ui/work/focus.ts'
import { StatusIcon } from '../../../ui/work/states.tsx'
import styles from './settings.module.css'
import type { Category, EditedStatus } from './statuses.ts'

const texts = projectSettings.workflow
const categories = Object.keys(t.tasks.categories) as Category[]

interface StatusLineProps {
  status: EditedStatus
  canEdit: boolean
  change: (changes: Partial<EditedStatus>) => void
  move: (step: number) => void
  /** Undefined for the last remaining one. */
  remove?: () => void
}

/** A status of a project, edited in place. */
export function StatusLine({ status, canEdit, change, move, remove }: StatusLineProps) {
  const { name, category, limit } = status
  if (!canEdit)
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
        aria-label={texts.name}
        maxLength={60}
        dir="auto"
        ref={name === '' && status.previousName === undefined ? focusOnMount : undefined}
      />
      <select
        className={styles.select}
        value={category}
        onChange={(event) => change({ category: event.currentTarget.value as Category })}
        aria-label={texts.stage(name)}
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
        placeholder={texts.limitHint}
        onChange={({ currentTarget: { value } }) =>
          change({ limit: value === '' ? undefined : Number(value) })
        }
        aria-label={texts.limit(name)}
      />
      <span className={styles.tool}>
        <Tool label={texts.up(name)} icon={IconArrowUp} onPress={() => move(-1)} />
        <Tool label={texts.down(name)} icon={IconArrowDown} onPress={() => move(1)} />
        {remove && <Tool label={texts.remove(name)} icon={IconX} onPress={remove} />}
      </span>
    </li>
  )
}

interface ToolProps {
  label: string
  icon: Icon
  onPress: () => void
}

function Tool({ label, icon: Mark, onPress }: ToolProps) {
  return (
    <button type="button" className={styles.icon} aria-label={label} onClick={onPress}>
      <Mark size={15} aria-hidden />
    </button>
  )
}
