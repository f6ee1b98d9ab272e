import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { settingsTexts as t } from '../texts.ts'
import { date } from '../../../ui/times.tsx'
import { formatList, weekdayName } from '../shared/words.ts'
import { differing, type Field, type SavedSettings, type SettingValues } from './settings.ts'

const words = t.organization.general

/** A setting in words, for comparison. */
function settingTextOf(field: Field, values: SettingValues): string {
  if (field === 'work_week') return formatList(values.work_week.map((day) => weekdayName(day)))
  if (field === 'holidays')
    return formatList(
      values.holidays.map((holiday) => `${holiday.name} (${date(`${holiday.date}T12:00`)})`),
    )
  if (field === 'severity_scale') return values.severity_scale.map((item) => item.name).join(' / ')
  if (field === 'deal_stages') return values.deal_stages.join(' / ')
  return String(values[field])
}

interface Props {
  base: SavedSettings
  fresh: SavedSettings
  draft: SettingValues
  onKeep: () => void
  onDrop: () => void
}

/** A conflicting save: the other person's changes, and a choice about the reader's own. */
export function Conflict({ base, fresh, draft, onKeep, onDrop }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' })
  }, [])
  const theirs = differing(fresh, base)
  const both = theirs.filter(
    (field) => differing(draft, base).includes(field) && differing(draft, fresh).includes(field),
  )
  return (
    <Alert ref={box} color="yellow" variant="light" icon={<IconGitMerge />} role="alert">
      <Stack gap="sm">
        <Text fw={600}>{words.conflict}</Text>
        <Text size="sm">
          {both.length === 0
            ? words.conflictApart
            : words.conflictBoth(formatList(both.map((field) => words.fields[field])))}
        </Text>
        <Table.ScrollContainer minWidth={420}>
          <Table aria-label={words.conflict}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.setting}</Table.Th>
                <Table.Th>{words.before}</Table.Th>
                <Table.Th>{words.now}</Table.Th>
                {both.length > 0 && <Table.Th>{words.yours}</Table.Th>}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {theirs.map((field) => (
                <Table.Tr key={field}>
                  <Table.Th scope="row">{words.fields[field]}</Table.Th>
                  <Table.Td dir="auto">{settingTextOf(field, base)}</Table.Td>
                  <Table.Td dir="auto">{settingTextOf(field, fresh)}</Table.Td>
                  {both.length > 0 && (
                    <Table.Td dir="auto">
                      {both.includes(field) ? settingTextOf(field, draft) : ''}
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Group gap="sm">
          <Button size="xs" onClick={onKeep}>
            {words.keepMine}
          </Button>
          <Button size="xs" variant="default" onClick={onDrop}>
            {words.dropMine}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
