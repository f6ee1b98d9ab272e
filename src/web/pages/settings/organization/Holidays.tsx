import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { settingsTexts as t } from '../texts.ts'
import { SettingsSection } from '../shared/Section.tsx'
import type { SettingValues } from './settings.ts'

const texts = t.organization.general
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
  const change = (index: number, changes: Partial<Holiday>) =>
    onChange(value.map((item, i) => (i === index ? { ...item, ...changes } : item)))
  return (
    <SettingsSection title={texts.fields.holidays} description={texts.holidaysText}>
      <Stack gap="xs">
        {value.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.noHolidays}
          </Text>
        )}
        {value.map((item, i) => (
          <Group key={i} gap="xs" align="flex-start">
            <TextInput
              type="date"
              w={150}
              aria-label={texts.holidayDate(i + 1)}
              value={item.date}
              onChange={(event) => change(i, { date: event.currentTarget.value })}
              error={errors[`holidays.${i}.date`]}
              required
            />
            <TextInput
              flex="1 1 8rem"
              aria-label={texts.holidayName(i + 1)}
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
              aria-label={texts.dropHoliday(item.name)}
              onClick={() => onChange(value.filter((_, index) => index !== i))}
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
          {texts.addHoliday}
        </Button>
      </Stack>
    </SettingsSection>
  )
}
