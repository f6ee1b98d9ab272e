import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { settingsTexts as t } from '../texts.ts'
import { SettingsSection } from '../shared/Section.tsx'

const texts = t.organization.general

export function Stages({
  value,
  onChange,
  error,
}: {
  value: string[]
  onChange: (stages: string[]) => void
  error: string | undefined
}) {
  const move = (from: number, to: number) =>
    onChange(value.toSpliced(from, 1).toSpliced(to, 0, value[from]!))
  return (
    <SettingsSection title={texts.fields.deal_stages} description={texts.stagesText}>
      <Stack gap="xs">
        {value.map((stage, i) => (
          <Group key={i} gap={4} wrap="nowrap">
            <TextInput
              flex={1}
              miw={0}
              aria-label={texts.stageName(i + 1)}
              value={stage}
              onChange={(event) => onChange(value.with(i, event.currentTarget.value))}
              required
              maxLength={100}
              dir="auto"
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              disabled={i === 0}
              aria-label={texts.stageUp(stage)}
              onClick={() => move(i, i - 1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              disabled={i === value.length - 1}
              aria-label={texts.stageDown(stage)}
              onClick={() => move(i, i + 1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              disabled={value.length === 1}
              aria-label={texts.dropStage(stage)}
              onClick={() => onChange(value.toSpliced(i, 1))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        {error && (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        )}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange([...value, ''])}
        >
          {texts.addStage}
        </Button>
      </Stack>
    </SettingsSection>
  )
}
