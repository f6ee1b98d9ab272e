import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import { useCall } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { OneTimeDialog } from '../shared/ShownOnce.tsx'
import { EventPicker } from './EventPicker.tsx'
import { FilterFields, toFilterInput, filterValues } from './FilterFields.tsx'

const texts = t.organization.webhooks

/** Creates a webhook, and shows its signing secret. */
export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const [values, setValues] = useState({
    url: '',
    name: '',
    events: [] as string[],
    filter: filterValues(undefined),
  })
  const [secret, setSecret] = useState<string>()
  const submission = useSubmission()
  const create = useCall('create_webhook', ['list_webhooks'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { url, name, events, filter } = values
    void submission.send(async () => {
      const webhook = await create.mutateAsync({
        url,
        events,
        ...(name.trim() === '' ? {} : { name }),
        ...(toFilterInput(filter) ? { filter: toFilterInput(filter) } : {}),
      })
      setSecret(webhook.secret)
    })
  }
  if (secret !== undefined)
    return <Secret secret={secret} title={texts.created} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} title={texts.create} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={texts.url}
            description={texts.urlText}
            type="url"
            value={values.url}
            onChange={(event) => setValues({ ...values, url: event.currentTarget.value })}
            error={submission.errors.url}
            required
            data-autofocus
          />
          <TextInput
            label={texts.name}
            value={values.name}
            onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
            error={submission.errors.name}
            maxLength={200}
            dir="auto"
          />
          <EventPicker
            value={values.events}
            onChange={(events) => setValues({ ...values, events })}
            error={submission.errors.events}
          />
          <FilterFields
            value={values.filter}
            onChange={(filter) => setValues({ ...values, filter })}
          />
          <SubmissionError submission={submission} fields={['url', 'name', 'events']} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.app.cancel}
            </Button>
            <Button type="submit" loading={submission.isBusy} disabled={values.events.length === 0}>
              {texts.create}
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
      {texts.secretOnce}
    </Alert>
  )
  return (
    <OneTimeDialog
      title={title}
      text={texts.secretText}
      value={secret}
      texts={{ label: texts.secret, copy: texts.copySecret, done: texts.done }}
      note={note}
      onClose={onClose}
    />
  )
}
