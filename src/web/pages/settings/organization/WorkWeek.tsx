import { Checkbox, Group } from '@mantine/core'
import { settingsTexts as t } from '../texts.ts'
import { SettingsSection } from '../shared/Section.tsx'
import { weekdayName } from '../shared/words.ts'

const texts = t.organization.general

export function WorkWeek({
  value,
  onChange,
  error,
}: {
  value: number[]
  onChange: (days: number[]) => void
  error: string | undefined
}) {
  return (
    <SettingsSection title={texts.fields.work_week} description={texts.workWeekText}>
      <Checkbox.Group
        value={value.map(String)}
        onChange={(days) => onChange(days.map(Number).sort())}
        error={error}
        aria-label={texts.fields.work_week}
      >
        <Group gap="md">
          {[1, 2, 3, 4, 5, 6, 7].map((day) => (
            <Checkbox key={day} value={String(day)} label={weekdayName(day)} />
          ))}
        </Group>
      </Checkbox.Group>
    </SettingsSection>
  )
}
