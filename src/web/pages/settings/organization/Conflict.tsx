import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { settingsTexts as t } from '../texts.ts'
import { formatDate } from '../../../ui/times.tsx'
import { formatList, weekdayName } from '../shared/words.ts'
import { differingFields, type Field, type SavedSettings, type SettingValues } from './settings.ts'

const texts = t.organization.general

/** A setting in words, for comparison. */
function settingTextOf(field: Field, values: SettingValues): string {
  if (field === 'work_week') return formatList(values.work_week.map((day) => weekdayName(day)))
  if (field === 'holidays')
    return formatList(
      values.holidays.map((holiday) => `${holiday.name} (${formatDate(`${holiday.date}T12:00`)})`),
    )
  if (field === 'severity_scale') return values.severity_scale.map((item) => item.name).join(' / ')
  if (field === 'deal_stages') return values.deal_stages.join(' / ')
  return String(values[field])
}

interface Props {
  base: SavedSettings
  latest: SavedSettings
  draft: SettingValues
  onKeep: () => void
  onDiscard: () => void
}

/** A conflicting save: the other person's changes, and a choice about the reader's own. */
export function Conflict({ base, latest, draft, onKeep, onDiscard }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' })
  }, [])
  const changedByOthers = differingFields(latest, base)
  const conflicting = changedByOthers.filter(
    (field) =>
      differingFields(draft, base).includes(field) &&
      differingFields(draft, latest).includes(field),
  )
  return (
    <Alert ref={box} color="yellow" variant="light" icon={<IconGitMerge />} role="alert">
      <Stack gap="sm">
        <Text fw={600}>{texts.conflict}</Text>
        <Text size="sm">
          {conflicting.length === 0
            ? texts.conflictApart
            : texts.conflictBoth(formatList(conflicting.map((field) => texts.fields[field])))}
        </Text>
        <Table.ScrollContainer minWidth={420}>
          <Table aria-label={texts.conflict}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.setting}</Table.Th>
                <Table.Th>{texts.before}</Table.Th>
                <Table.Th>{texts.now}</Table.Th>
                {conflicting.length > 0 && <Table.Th>{texts.yours}</Table.Th>}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changedByOthers.map((field) => (
                <Table.Tr key={field}>
                  <Table.Th scope="row">{texts.fields[field]}</Table.Th>
                  <Table.Td dir="auto">{settingTextOf(field, base)}</Table.Td>
                  <Table.Td dir="auto">{settingTextOf(field, latest)}</Table.Td>
                  {conflicting.length > 0 && (
                    <Table.Td dir="auto">
                      {conflicting.includes(field) ? settingTextOf(field, draft) : ''}
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Group gap="sm">
          <Button size="xs" onClick={onKeep}>
            {texts.keepMine}
          </Button>
          <Button size="xs" variant="default" onClick={onDiscard}>
            {texts.dropMine}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
