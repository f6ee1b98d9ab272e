import { t } from '../../../texts/index.ts'
import { DayMenu } from '../../../ui/work/DayMenu.tsx'
import { dueDay } from '../data/due.ts'
import { applyChange } from './changes.ts'
import type { FieldPickerProps } from './open.ts'

/** A start or due day, chosen from a menu or typed as a phrase. */
export function DayPicker({
  ids,
  rows,
  anchor,
  close,
  field,
}: FieldPickerProps & { field: 'due' | 'start' }) {
  return (
    <DayMenu
      anchor={anchor}
      close={close}
      label={t.tasks.pick[field]}
      days={rows.map((row) => (field === 'due' ? dueDay(row) : row.start_on))}
      choose={(day) => void applyChange(ids, { field, day })}
    />
  )
}
