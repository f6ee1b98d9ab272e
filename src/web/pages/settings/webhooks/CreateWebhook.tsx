import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import { useCall } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { Refused, useSending } from '../shared/sending.tsx'
import { ShownOnce } from '../shared/ShownOnce.tsx'
import { EventPicker } from './EventPicker.tsx'
import { FilterFields, sentFilter, typedFilter } from './FilterFields.tsx'

const words = t.organization.webhooks

/** Creates a webhook, and shows its signing secret. */
export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const [values, setValues] = useState({
    url: '',
    name: '',
    events: [] as string[],
    filter: typedFilter(undefined),
  })
  const [secret, setSecret] = useState<string>()
  const sending = useSending()
  const create = useCall('create_webhook', ['list_webhooks'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { url, name, events, filter } = values
    void sending.send(async () => {
      const webhook = await create.mutateAsync({
        url,
        events,
        ...(name.trim() === '' ? {} : { name }),
        ...(sentFilter(filter) ? { filter: sentFilter(filter) } : {}),
      })
      setSecret(webhook.secret)
    })
  }
  if (secret !== undefined)
    return <Secret secret={secret} title={words.created} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} title={words.create} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={words.url}
            description={words.urlText}
            type="url"
            value={values.url}
            onChange={(event) => setValues({ ...values, url: event.currentTarget.value })}
            error={sending.errors.url}
            required
            data-autofocus
          />
          <TextInput
            label={words.name}
            value={values.name}
            onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
            error={sending.errors.name}
            maxLength={200}
            dir="auto"
          />
          <EventPicker
            value={values.events}
            onChange={(events) => setValues({ ...values, events })}
            error={sending.errors.events}
          />
          <FilterFields
            value={values.filter}
            onChange={(filter) => setValues({ ...values, filter })}
          />
          <Refused submission={sending} fields={['url', 'name', 'events']} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.app.cancel}
            </Button>
            <Button type="submit" loading={sending.isBusy} disabled={values.events.length === 0}>
              {words.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** A webhook's signing secret. */
export function Secret({
  secret,
  title,
  onClose,
}: {
  secret: string
  title: string
  onClose: () => void
}) {
  const note = (
    <Alert variant="light" color="yellow" icon={<IconKey />}>
      {words.secretOnce}
    </Alert>
  )
  return (
    <ShownOnce
      title={title}
      text={words.secretText}
      value={secret}
      words={{ label: words.secret, copy: words.copySecret, done: words.done }}
      note={note}
      onClose={onClose}
    />
  )
}
