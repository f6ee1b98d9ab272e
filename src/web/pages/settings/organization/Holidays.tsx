import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { settingsTexts as t } from '../texts.ts'
import { SettingsSection } from '../shared/Section.tsx'
import type { SettingValues } from './settings.ts'

const words = t.organization.general
type Holiday = SettingValues['holidays'][number]

export function Holidays({
  value,
  onChange,
  errors,
}: {
  value: Holiday[]
  onChange: (holidays: Holiday[]) => void
  errors: Record<string, string>
}) {
  const change = (at: number, more: Partial<Holiday>) =>
    onChange(value.map((item, i) => (i === at ? { ...item, ...more } : item)))
  return (
    <SettingsSection title={words.fields.holidays} about={words.holidaysText}>
      <Stack gap="xs">
        {value.length === 0 && (
          <Text size="sm" c="dimmed">
            {words.noHolidays}
          </Text>
        )}
        {value.map((item, i) => (
          <Group key={i} gap="xs" align="flex-start">
            <TextInput
              type="date"
              w={150}
              aria-label={words.holidayDate(i + 1)}
              value={item.date}
              onChange={(event) => change(i, { date: event.currentTarget.value })}
              error={errors[`holidays.${i}.date`]}
              required
            />
            <TextInput
              flex="1 1 8rem"
              aria-label={words.holidayName(i + 1)}
              value={item.name}
              onChange={(event) => change(i, { name: event.currentTarget.value })}
              error={errors[`holidays.${i}.name`]}
              required
              maxLength={200}
              dir="auto"
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={words.dropHoliday(item.name)}
              onClick={() => onChange(value.filter((_, at) => at !== i))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        {errors.holidays && (
          <Text size="sm" c="red" role="alert">
            {errors.holidays}
          </Text>
        )}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange([...value, { date: '', name: '' }])}
        >
          {words.addHoliday}
        </Button>
      </Stack>
    </SettingsSection>
  )
}
