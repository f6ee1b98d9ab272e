import { Stack, Switch, TextInput } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useCall } from '../../../api/queries.ts'
import { NotFound } from '../../../ui/NotFound.tsx'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { DeletionSection } from '../shared/DeletionSection.tsx'
import { useAllItems } from '../shared/lists.ts'
import { runAction, SubmissionError, useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { Deliveries } from './Deliveries.tsx'
import { EventPicker } from './EventPicker.tsx'
import { FilterFields, toFilterInput, filterValues } from './FilterFields.tsx'
import { Rotation } from './Rotation.tsx'
import { Health, type WebhookRow } from './Webhooks.tsx'
import { SaveRow } from '../shared/SaveRow.tsx'

const texts = t.organization.webhooks

/** One webhook: its events and deliveries. */
export function Webhook() {
  const { id } = useParams({ strict: false }) as { id: string }
  const webhooks = useAllItems('list_webhooks', {})
  return (
    <QueryContent query={webhooks}>
      {(hooks) => {
        const hook = hooks.find((webhook) => webhook.id === id)
        return hook ? <WebhookDetails key={hook.id} webhook={hook} /> : <NotFound />
      }}
    </QueryContent>
  )
}

function WebhookDetails({ webhook }: { webhook: WebhookRow }) {
  const update = useCall('update_webhook', ['list_webhooks'])
  const set = (active: boolean) =>
    void runAction(
      () => update.mutateAsync({ webhook_id: webhook.id, active }),
      active ? texts.resumed : texts.paused,
    )
  return (
    <Page title={webhook.name} description={webhook.url} actions={<Health webhook={webhook} />}>
      <SettingsSection
        title={texts.sending}
        description={webhook.active ? texts.isSending : texts.isPaused}
        actions={
          <Switch
            label={texts.active}
            checked={webhook.active}
            disabled={update.isPending}
            onChange={(event) => set(event.currentTarget.checked)}
          />
        }
      >
        <Deliveries id={webhook.id} />
      </SettingsSection>
      <EditForm webhook={webhook} />
      <Rotation id={webhook.id} />
      <Deletion webhook={webhook} />
    </Page>
  )
}

function EditForm({ webhook }: { webhook: WebhookRow }) {
  const [values, setValues] = useState(() => ({
    name: webhook.name,
    events: webhook.events,
    filter: filterValues(webhook.filter),
  }))
  const submission = useSubmission()
  const update = useCall('update_webhook', ['list_webhooks'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.send(async () => {
      await update.mutateAsync({
        webhook_id: webhook.id,
        name: values.name,
        events: values.events,
        filter: toFilterInput(values.filter) ?? null,
      })
      notifySuccess(t.app.saved)
    })
  }
  return (
    <SettingsSection title={texts.what}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={texts.name}
            value={values.name}
            onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
            error={submission.errors.name}
            required
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
          <SubmissionError submission={submission} fields={['name', 'events']} />
          <SaveRow isBusy={submission.isBusy} disabled={values.events.length === 0} />
        </Stack>
      </form>
    </SettingsSection>
  )
}

function Deletion({ webhook: { id, name } }: { webhook: WebhookRow }) {
  const deletion = useCall('delete_webhook', ['list_webhooks'])
  return (
    <DeletionSection
      action={texts.delete}
      text={texts.deleteText}
      question={texts.deleteTitle(name)}
      remove={() => deletion.mutateAsync({ webhook_id: id })}
      doneMessage={texts.deleted}
      to="/settings/integrations/webhooks"
    />
  )
}
