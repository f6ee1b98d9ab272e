import { Group, Stack, Text, TextInput } from '@mantine/core'
import { settingsTexts as t } from '../texts.ts'
import { SettingsSection } from '../shared/Section.tsx'
import type { SettingValues } from './settings.ts'

const words = t.organization.general
type Severity = SettingValues['severity_scale'][number]

export function Severities({
  value,
  onChange,
  errors,
}: {
  value: Severity[]
  onChange: (scale: Severity[]) => void
  errors: Record<string, string>
}) {
  const change = (at: number, more: Partial<Severity>) =>
    onChange(value.map((item, i) => (i === at ? { ...item, ...more } : item)))
  return (
    <SettingsSection title={words.fields.severity_scale} about={words.severityText}>
      <Stack gap="sm">
        {value.map((item, i) => (
          <Group key={item.severity} gap="xs" align="flex-start">
            <Text size="sm" ff="monospace" w={48} pt={7}>
              {item.severity}
            </Text>
            <TextInput
              flex="1 1 8rem"
              aria-label={words.severityName(item.severity)}
              value={item.name}
              onChange={(event) => change(i, { name: event.currentTarget.value })}
              error={errors[`severity_scale.${i}.name`]}
              required
              maxLength={100}
              dir="auto"
            />
            <TextInput
              flex="3 1 14rem"
              aria-label={words.severityAbout(item.severity)}
              value={item.description}
              onChange={(event) => change(i, { description: event.currentTarget.value })}
              error={errors[`severity_scale.${i}.description`]}
              maxLength={1000}
              dir="auto"
            />
          </Group>
        ))}
      </Stack>
    </SettingsSection>
  )
}
