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
import { Shown } from '../../../ui/states.tsx'
import { eventLabel, useEvents, type EventGroup } from './events.ts'

const words = t.organization.webhooks

interface Chosen {
  value: string[]
  onChange: (events: string[]) => void
}

/** Chooses events individually, or all of a kind (`task.*`), including future ones. */
export function EventPicker({ error, ...chosen }: Chosen & { error?: string | undefined }) {
  const events = useEvents()
  const [text, setText] = useState('')
  return (
    <Input.Wrapper
      label={words.events}
      description={words.eventsText}
      error={error}
      labelElement="div"
      required
    >
      <Stack gap="xs" mt="xs">
        {chosen.value.length > 0 && <ChosenEvents {...chosen} />}
        <TextInput
          leftSection={<IconSearch size={16} />}
          aria-label={words.findEvents}
          placeholder={words.findEvents}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Shown query={events}>
          {(groups) => <EventGroups groups={groups.filter(eventFilter(text))} {...chosen} />}
        </Shown>
      </Stack>
    </Input.Wrapper>
  )
}

function eventFilter(text: string): (group: EventGroup) => boolean {
  const hasWords = wordFilter(text)
  return ({ type, module, names }) => hasWords(`${eventLabel(type)} ${module} ${names.join(' ')}`)
}

function ChosenEvents({ value, onChange }: Chosen) {
  return (
    <Pill.Group>
      {value.map((name) => (
        <Pill
          key={name}
          withRemoveButton
          onRemove={() => onChange(value.filter((item) => item !== name))}
          removeButtonProps={{
            'aria-label': words.dropEvent(name),
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

function EventGroups({ groups, ...chosen }: Chosen & { groups: EventGroup[] }) {
  if (groups.length === 0) return <Text size="sm">{words.noEvents}</Text>
  return (
    <Box
      mah={340}
      style={{ overflowY: 'auto' }}
      tabIndex={0}
      role="region"
      aria-label={words.events}
    >
      <Accordion multiple variant="contained" order={3}>
        {groups.map((group) => (
          <Kind key={group.type} group={group} {...chosen} />
        ))}
      </Accordion>
    </Box>
  )
}

function Kind({ group: { type, module, names }, value, onChange }: Chosen & { group: EventGroup }) {
  const whole = `${type}.*`
  const isWhole = value.includes(whole)
  const chosen = names.filter((name) => value.includes(name)).length
  const chosenText = chosen > 0 ? words.chosen(chosen) : eventLabel(module)
  const set = (name: string, isOn: boolean) => {
    const others = value.filter((item) => item !== name)
    onChange(
      isOn
        ? [...(name === whole ? others.filter((other) => !names.includes(other)) : others), name]
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
            {isWhole ? words.allOfThem : chosenText}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Checkbox
          mb="xs"
          label={words.allOf(eventLabel(type))}
          checked={isWhole}
          onChange={(event) => set(whole, event.currentTarget.checked)}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {names.map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={isWhole || value.includes(name)}
              disabled={isWhole}
              onChange={(event) => set(name, event.currentTarget.checked)}
            />
          ))}
        </SimpleGrid>
      </Accordion.Panel>
    </Accordion.Item>
  )
}
