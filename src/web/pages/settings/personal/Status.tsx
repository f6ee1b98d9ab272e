import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Input, Output } from '../../../api/client.ts'
import { useCall } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { SaveRow } from '../shared/SaveRow.tsx'

const texts = t.accounts.profile
const availabilities = ['available', 'busy', 'away', 'do_not_disturb'] as const
type Availability = (typeof availabilities)[number]

/** A time in the format of a `datetime-local` field, in the person's time zone. */
function toDateTimeLocal(at: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(new Date(at))
  return parts.replace(' ', 'T')
}

type Person = Output<'get_me'>['person']

/** Status shown to others beside the person's name. */
export function Status({ person }: { person: Person }) {
  const { values, setValues, sending, submit, clear } = useStatus(person)
  const field = (name: 'emoji' | 'text' | 'until') => ({
    value: values[name],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
    error: sending.errors[name],
  })
  return (
    <SettingsSection title={texts.status} description={texts.statusText}>
      <form onSubmit={submit}>
        <Stack>
          <Group align="flex-start">
            <TextInput
              label={texts.emoji}
              {...field('emoji')}
              w={90}
              maxLength={64}
              autoComplete="off"
            />
            <TextInput
              label={texts.words}
              {...field('text')}
              flex="1 1 12rem"
              maxLength={200}
              autoComplete="off"
              dir="auto"
            />
          </Group>
          <Group align="flex-start">
            <NativeSelect
              label={texts.availability}
              flex="1 1 10rem"
              value={values.availability}
              onChange={(event) =>
                setValues({ ...values, availability: event.currentTarget.value as Availability })
              }
              data={availabilities.map((value) => ({ value, label: texts[value] }))}
            />
            <TextInput
              type="datetime-local"
              label={texts.until}
              description={texts.untilText}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              flex="1 1 12rem"
              {...field('until')}
            />
          </Group>
          <SubmissionError submission={sending} fields={Object.keys(values)} />
          <SaveRow isBusy={sending.isBusy}>
            <Button variant="default" onClick={clear}>
              {texts.clearStatus}
            </Button>
          </SaveRow>
        </Stack>
      </form>
    </SettingsSection>
  )
}

function useStatus({ presence, timezone }: Person) {
  const [values, setValues] = useState({
    availability: presence.availability as Availability,
    emoji: presence.emoji ?? '',
    text: presence.text ?? '',
    until: presence.until ? toDateTimeLocal(presence.until, timezone) : '',
  })
  const submission = useSubmission()
  const update = useCall('set_my_status', ['get_me', 'list_people'])
  const save = (input: Input<'set_my_status'>) =>
    submission.send(async () => {
      await update.mutateAsync(input)
      notifySuccess(texts.statusSaved)
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save({
      availability: values.availability,
      text: values.text.trim() || null,
      emoji: values.emoji.trim() || null,
      until: values.until || null,
    })
  }
  const clear = () => {
    setValues({ availability: 'available', emoji: '', text: '', until: '' })
    void save({})
  }
  return { values, setValues, sending: submission, submit, clear }
}
