import { ActionIcon, Box, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import type { Output } from '../../../api/client.ts'
import { useCall } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { useDraft } from '../../../ui/drafts.ts'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { weekdayName } from '../shared/words.ts'
import { SaveRow } from '../shared/SaveRow.tsx'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const texts = t.accounts.profile
const maxSpans = 4

interface Span {
  from: string
  to: string
}

/** A person's working hours for each weekday. */
export function Hours({ person }: { person: Output<'get_me'>['person'] }) {
  const [hours, setHours] = useDraft<Record<string, Span[]>>(
    'hours',
    person.working_hours,
    workingDays,
  )
  const submission = useSubmission()
  const update = useCall('update_my_profile', ['get_me'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.send(async () => {
      await update.mutateAsync({
        working_hours: workingDays(hours),
      })
      notifySuccess(texts.hoursSaved)
    })
  }
  return (
    <SettingsSection title={texts.hours} description={texts.hoursText}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {days.map((day, i) => (
            <Day
              key={day}
              name={weekdayName(i + 1)}
              spans={hours[day] ?? []}
              onChange={(spans) => setHours({ ...hours, [day]: spans })}
            />
          ))}
          <SubmissionError submission={submission} />
          <SaveRow isBusy={submission.isBusy} />
        </Stack>
      </form>
    </SettingsSection>
  )
}

/** A person's working days, in order. */
function workingDays(hours: Record<string, Span[]>): Record<string, Span[]> {
  return Object.fromEntries(
    days.flatMap((day) => (hours[day]?.length ? [[day, hours[day]] as const] : [])),
  )
}

function Day({
  name,
  spans,
  onChange,
}: {
  name: string
  spans: Span[]
  onChange: (spans: Span[]) => void
}) {
  const change = (index: number, changes: Partial<Span>) =>
    onChange(spans.map((span, i) => (i === index ? { ...span, ...changes } : span)))
  const nextSpan =
    spans.length === 0 ? { from: '09:00', to: '17:00' } : { from: spans.at(-1)!.to, to: '24:00' }
  return (
    <Group align="flex-start" gap="sm" role="group" aria-label={name}>
      <Text size="sm" fw={500} w={100} pt={6}>
        {name}
      </Text>
      <Stack gap="xs" w={248}>
        {spans.length === 0 && (
          <Text size="sm" c="dimmed" pt={6}>
            {texts.free}
          </Text>
        )}
        {spans.map((span, i) => (
          <Group key={i} gap="xs" wrap="nowrap">
            <Time
              label={texts.from(name)}
              value={span.from}
              onChange={(from) => change(i, { from })}
            />
            <Text size="sm" aria-hidden>
              –
            </Text>
            <Time label={texts.to(name)} value={span.to} onChange={(to) => change(i, { to })} />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={texts.dropHours(name, i + 1)}
              onClick={() => onChange(spans.filter((_, index) => index !== i))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      <Box pt={4}>
        <ActionIcon
          variant="default"
          aria-label={texts.addHours(name)}
          disabled={spans.length >= maxSpans}
          onClick={() => onChange([...spans, nextSpan])}
        >
          <IconPlus size={16} />
        </ActionIcon>
      </Box>
    </Group>
  )
}

/** A text field, because time fields do not support 24:00, the end of a day. */
function Time({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (time: string) => void
}) {
  return (
    <TextInput
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      w={84}
      inputMode="numeric"
      pattern="([01]\d|2[0-3]):[0-5]\d|24:00"
      placeholder="09:00"
      required
    />
  )
}
