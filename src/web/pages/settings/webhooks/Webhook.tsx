import { Stack, Switch, TextInput } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useCall } from '../../../api/queries.ts'
import { NotFound } from '../../../ui/NotFound.tsx'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Shown } from '../../../ui/states.tsx'
import { DeletionSection } from '../shared/DeletionSection.tsx'
import { useAllItems } from '../shared/lists.ts'
import { submitWork, Refused, useSending } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { Deliveries } from './Deliveries.tsx'
import { EventPicker } from './EventPicker.tsx'
import { FilterFields, sentFilter, typedFilter } from './FilterFields.tsx'
import { Rotation } from './Rotation.tsx'
import { Health, type Hook } from './Webhooks.tsx'
import { SaveRow } from '../shared/SaveRow.tsx'

const words = t.organization.webhooks

/** One webhook: its events and deliveries. */
export function Webhook() {
  const { id } = useParams({ strict: false }) as { id: string }
  const webhooks = useAllItems('list_webhooks', {})
  return (
    <Shown query={webhooks}>
      {(hooks) => {
        const hook = hooks.find((webhook) => webhook.id === id)
        return hook ? <WebhookDetails key={hook.id} hook={hook} /> : <NotFound />
      }}
    </Shown>
  )
}

function WebhookDetails({ hook }: { hook: Hook }) {
  const update = useCall('update_webhook', ['list_webhooks'])
  const set = (active: boolean) =>
    void submitWork(
      () => update.mutateAsync({ webhook_id: hook.id, active }),
      active ? words.resumed : words.paused,
    )
  return (
    <Page title={hook.name} about={hook.url} actions={<Health hook={hook} />}>
      <SettingsSection
        title={words.sending}
        about={hook.active ? words.isSending : words.isPaused}
        actions={
          <Switch
            label={words.active}
            checked={hook.active}
            disabled={update.isPending}
            onChange={(event) => set(event.currentTarget.checked)}
          />
        }
      >
        <Deliveries id={hook.id} />
      </SettingsSection>
      <Edit hook={hook} />
      <Rotation id={hook.id} />
      <Deletion hook={hook} />
    </Page>
  )
}

function Edit({ hook }: { hook: Hook }) {
  const [values, setValues] = useState(() => ({
    name: hook.name,
    events: hook.events,
    filter: typedFilter(hook.filter),
  }))
  const sending = useSending()
  const update = useCall('update_webhook', ['list_webhooks'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void sending.send(async () => {
      await update.mutateAsync({
        webhook_id: hook.id,
        name: values.name,
        events: values.events,
        filter: sentFilter(values.filter) ?? null,
      })
      notifySuccess(t.app.saved)
    })
  }
  return (
    <SettingsSection title={words.what}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={words.name}
            value={values.name}
            onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
            error={sending.errors.name}
            required
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
          <Refused submission={sending} fields={['name', 'events']} />
          <SaveRow isBusy={sending.isBusy} disabled={values.events.length === 0} />
        </Stack>
      </form>
    </SettingsSection>
  )
}

function Deletion({ hook: { id, name } }: { hook: Hook }) {
  const deletion = useCall('delete_webhook', ['list_webhooks'])
  return (
    <DeletionSection
      action={words.delete}
      text={words.deleteText}
      question={words.deleteTitle(name)}
      remove={() => deletion.mutateAsync({ webhook_id: id })}
      done={words.deleted}
      to="/settings/integrations/webhooks"
    />
  )
}
