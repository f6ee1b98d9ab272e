import { Group, Stack, Text, TextInput } from '@mantine/core'
import { settingsTexts as t } from '../texts.ts'
import { SettingsSection } from '../shared/Section.tsx'
import type { SettingValues } from './settings.ts'

const texts = t.organization.general
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
  const change = (index: number, changes: Partial<Severity>) =>
    onChange(value.map((item, i) => (i === index ? { ...item, ...changes } : item)))
  return (
    <SettingsSection title={texts.fields.severity_scale} description={texts.severityText}>
      <Stack gap="sm">
        {value.map((item, i) => (
          <Group key={item.severity} gap="xs" align="flex-start">
            <Text size="sm" ff="monospace" w={48} pt={7}>
              {item.severity}
            </Text>
            <TextInput
              flex="1 1 8rem"
              aria-label={texts.severityName(item.severity)}
              value={item.name}
              onChange={(event) => change(i, { name: event.currentTarget.value })}
              error={errors[`severity_scale.${i}.name`]}
              required
              maxLength={100}
              dir="auto"
            />
            <TextInput
              flex="3 1 14rem"
              aria-label={texts.severityAbout(item.severity)}
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
