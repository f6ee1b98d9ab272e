import { Button, Checkbox, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useCall } from '../../../api/queries.ts'
import { NotFound } from '../../../ui/NotFound.tsx'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Shown } from '../../../ui/states.tsx'
import { useWhole } from '../shared/lists.ts'
import { submitWork, Refused, useSending } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { StateBadge } from '../shared/State.tsx'
import type { MailTemplate } from './Mail.tsx'
import { SaveRow } from '../shared/SaveRow.tsx'

const words = t.accounts.mail

/** One mail template. */
export function Template() {
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useWhole('list_email_templates', {})
  return (
    <Shown of={found}>
      {(templates) => {
        const template = templates.find((emailTemplate) => emailTemplate.id === id)
        return template ? <Content key={template.id} template={template} /> : <NotFound />
      }}
    </Shown>
  )
}

function Content({ template }: { template: MailTemplate }) {
  const update = useCall('update_email_template', ['list_email_templates'])
  const retire = (retired: boolean) =>
    void submitWork(
      () => update.mutateAsync({ template_id: template.id, retired }),
      retired ? words.retiredNow : words.unretiredNow,
    )
  return (
    <Page
      title={template.name}
      about={words.template}
      actions={template.retired && <StateBadge tone="off">{words.retired}</StateBadge>}
    >
      <Edit template={template} />
      <SettingsSection
        title={template.retired ? words.retired : words.retire}
        about={words.retireText}
        actions={
          <Button
            variant="default"
            loading={update.isPending}
            onClick={() => retire(!template.retired)}
          >
            {template.retired ? words.unretire : words.retire}
          </Button>
        }
      >
        {null}
      </SettingsSection>
    </Page>
  )
}

function Edit({
  template: { id, name, subject, body_markdown, shared, variables },
}: {
  template: MailTemplate
}) {
  const [values, setValues] = useState({ name, subject, body_markdown, shared })
  const sending = useSending()
  const update = useCall('update_email_template', ['list_email_templates'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void sending.send(async () => {
      await update.mutateAsync({ template_id: id, ...values })
      notifySuccess(words.saved)
    })
  }
  return (
    <SettingsSection title={words.template}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={words.name}
            value={values.name}
            onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
            error={sending.errors.name}
            required
            dir="auto"
          />
          <TextInput
            label={words.subject}
            value={values.subject}
            onChange={(event) => setValues({ ...values, subject: event.currentTarget.value })}
            error={sending.errors.subject}
            required
            dir="auto"
          />
          <Textarea
            label={words.body}
            value={values.body_markdown}
            onChange={(event) => setValues({ ...values, body_markdown: event.currentTarget.value })}
            error={sending.errors.body_markdown}
            autosize
            minRows={8}
            maxRows={30}
            required
            dir="auto"
          />
          {variables.length > 0 && (
            <Text size="sm" c="dimmed">
              {words.variables}: {variables.map((variable) => `{{${variable}}}`).join(', ')}
            </Text>
          )}
          <Checkbox
            label={words.shared}
            checked={values.shared}
            onChange={(event) => setValues({ ...values, shared: event.currentTarget.checked })}
          />
          <Refused of={sending} fields={Object.keys(values)} />
          <SaveRow isBusy={sending.isBusy} />
        </Stack>
      </form>
    </SettingsSection>
  )
}
