import {
  Accordion,
  Box,
  Checkbox,
  Group,
  Input,
  Pill,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { wordFilter } from '../../../ui/work/text-filter.ts'
import { settingsTexts as t } from '../texts.ts'
import { QueryContent } from '../../../ui/states.tsx'
import { eventLabel, useEvents, type EventGroup } from './events.ts'

const texts = t.organization.webhooks

interface EventSelection {
  value: string[]
  onChange: (events: string[]) => void
}

/** Chooses events individually, or all of a kind (`task.*`), including future ones. */
export function EventPicker({
  error,
  ...selection
}: EventSelection & { error?: string | undefined }) {
  const events = useEvents()
  const [text, setText] = useState('')
  return (
    <Input.Wrapper
      label={texts.events}
      description={texts.eventsText}
      error={error}
      labelElement="div"
      required
    >
      <Stack gap="xs" mt="xs">
        {selection.value.length > 0 && <SelectedEvents {...selection} />}
        <TextInput
          leftSection={<IconSearch size={16} />}
          aria-label={texts.findEvents}
          placeholder={texts.findEvents}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <QueryContent query={events}>
          {(groups) => <EventGroups groups={groups.filter(eventFilter(text))} {...selection} />}
        </QueryContent>
      </Stack>
    </Input.Wrapper>
  )
}

function eventFilter(text: string): (group: EventGroup) => boolean {
  const matches = wordFilter(text)
  return ({ type, module, names }) => matches(`${eventLabel(type)} ${module} ${names.join(' ')}`)
}

function SelectedEvents({ value, onChange }: EventSelection) {
  return (
    <Pill.Group>
      {value.map((name) => (
        <Pill
          key={name}
          withRemoveButton
          onRemove={() => onChange(value.filter((item) => item !== name))}
          removeButtonProps={{
            'aria-label': texts.dropEvent(name),
            'aria-hidden': false,
            tabIndex: 0,
          }}
        >
          {name}
        </Pill>
      ))}
    </Pill.Group>
  )
}

function EventGroups({ groups, ...selection }: EventSelection & { groups: EventGroup[] }) {
  if (groups.length === 0) return <Text size="sm">{texts.noEvents}</Text>
  return (
    <Box
      mah={340}
      style={{ overflowY: 'auto' }}
      tabIndex={0}
      role="region"
      aria-label={texts.events}
    >
      <Accordion multiple variant="contained" order={3}>
        {groups.map((group) => (
          <EventGroupItem key={group.type} group={group} {...selection} />
        ))}
      </Accordion>
    </Box>
  )
}

function EventGroupItem({
  group: { type, module, names },
  value,
  onChange,
}: EventSelection & { group: EventGroup }) {
  const wildcard = `${type}.*`
  const isAllSelected = value.includes(wildcard)
  const selectedCount = names.filter((name) => value.includes(name)).length
  const summary = selectedCount > 0 ? texts.chosen(selectedCount) : eventLabel(module)
  const set = (name: string, isSelected: boolean) => {
    const others = value.filter((item) => item !== name)
    onChange(
      isSelected
        ? [...(name === wildcard ? others.filter((other) => !names.includes(other)) : others), name]
        : others,
    )
  }
  return (
    <Accordion.Item value={type}>
      <Accordion.Control>
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={500} tt="capitalize">
            {eventLabel(type)}
          </Text>
          <Text size="xs" c="dimmed">
            {isAllSelected ? texts.allOfThem : summary}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Checkbox
          mb="xs"
          label={texts.allOf(eventLabel(type))}
          checked={isAllSelected}
          onChange={(event) => set(wildcard, event.currentTarget.checked)}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {names.map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={isAllSelected || value.includes(name)}
              disabled={isAllSelected}
              onChange={(event) => set(name, event.currentTarget.checked)}
            />
          ))}
        </SimpleGrid>
      </Accordion.Panel>
    </Accordion.Item>
  )
}
