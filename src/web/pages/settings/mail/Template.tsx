import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import { useSignedIn } from '../../../session/session.ts'
import { NotFound } from '../../../ui/NotFound.tsx'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Shown } from '../../../ui/states.tsx'
import { DeletionSection } from '../shared/DeletionSection.tsx'
import { useAllItems } from '../shared/lists.ts'
import { submitWork, useSending } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { StateBadge } from '../shared/State.tsx'
import type { MailTemplate } from './Mail.tsx'
import { TemplateForm, type TemplateValues } from './template/TemplateForm.tsx'

const words = t.accounts.mail

/** One mail template. */
export function Template() {
  const { id } = useParams({ strict: false }) as { id: string }
  const templatesQuery = useAllItems('list_email_templates', {})
  return (
    <Shown query={templatesQuery}>
      {(templates) => {
        const template = templates.find((emailTemplate) => emailTemplate.id === id)
        return template ? <MailTemplateForm key={template.id} template={template} /> : <NotFound />
      }}
    </Shown>
  )
}

function MailTemplateForm({ template }: { template: MailTemplate }) {
  const { person } = useSignedIn()
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
      {template.created_by?.id === person.id && <Deletion template={template} />}
    </Page>
  )
}

function Edit({ template }: { template: MailTemplate }) {
  const { id, name, subject, body_markdown, shared, variables } = template
  const [values, setValues] = useState<TemplateValues>({ name, subject, body_markdown, shared })
  const sending = useSending()
  const update = useCall('update_email_template', ['list_email_templates'])
  const save = () =>
    void sending.send(async () => {
      await update.mutateAsync({ template_id: id, ...values })
      notifySuccess(words.saved)
    })
  return (
    <TemplateForm
      values={values}
      change={setValues}
      variables={variables}
      sending={sending}
      save={save}
    />
  )
}

function Deletion({ template: { id, name } }: { template: MailTemplate }) {
  const deletion = useCall('delete_email_template', ['list_email_templates'])
  return (
    <DeletionSection
      action={words.deleteTemplate}
      text={words.deleteTemplateText}
      question={words.deleteTemplateTitle(name)}
      remove={() => deletion.mutateAsync({ template_id: id })}
      done={words.templateDeleted}
      to="/settings/mail"
    />
  )
}
