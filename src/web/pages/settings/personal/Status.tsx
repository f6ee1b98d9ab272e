import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Input, Output } from '../../../api/client.ts'
import { useCall } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Refused, useSending } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { SaveRow } from '../shared/SaveRow.tsx'

const words = t.accounts.profile
const kinds = ['available', 'busy', 'away', 'do_not_disturb'] as const
type Availability = (typeof kinds)[number]

/** A moment in the format of a date and time field, in the person's zone. */
function localMoment(at: string, timeZone: string): string {
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
    <SettingsSection title={words.status} about={words.statusText}>
      <form onSubmit={submit}>
        <Stack>
          <Group align="flex-start">
            <TextInput
              label={words.emoji}
              {...field('emoji')}
              w={90}
              maxLength={64}
              autoComplete="off"
            />
            <TextInput
              label={words.words}
              {...field('text')}
              flex="1 1 12rem"
              maxLength={200}
              autoComplete="off"
              dir="auto"
            />
          </Group>
          <Group align="flex-start">
            <NativeSelect
              label={words.availability}
              flex="1 1 10rem"
              value={values.availability}
              onChange={(event) =>
                setValues({ ...values, availability: event.currentTarget.value as Availability })
              }
              data={kinds.map((value) => ({ value, label: words[value] }))}
            />
            <TextInput
              type="datetime-local"
              label={words.until}
              description={words.untilText}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              flex="1 1 12rem"
              {...field('until')}
            />
          </Group>
          <Refused submission={sending} fields={Object.keys(values)} />
          <SaveRow isBusy={sending.isBusy}>
            <Button variant="default" onClick={clear}>
              {words.clearStatus}
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
    until: presence.until ? localMoment(presence.until, timezone) : '',
  })
  const sending = useSending()
  const update = useCall('set_my_status', ['get_me', 'list_people'])
  const save = (input: Input<'set_my_status'>) =>
    sending.send(async () => {
      await update.mutateAsync(input)
      notifySuccess(words.statusSaved)
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
  return { values, setValues, sending, submit, clear }
}
