import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import { useSignedIn } from '../../../session/session.ts'
import { NotFound } from '../../../ui/NotFound.tsx'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { DeletionSection } from '../shared/DeletionSection.tsx'
import { useAllItems } from '../shared/lists.ts'
import { runAction, useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { StateBadge } from '../shared/State.tsx'
import type { MailTemplate } from './Mail.tsx'
import { TemplateForm, type TemplateValues } from './template/TemplateForm.tsx'

const texts = t.accounts.mail

/** One mail template. */
export function Template() {
  const { id } = useParams({ strict: false }) as { id: string }
  const templatesQuery = useAllItems('list_email_templates', {})
  return (
    <QueryContent query={templatesQuery}>
      {(templates) => {
        const template = templates.find((emailTemplate) => emailTemplate.id === id)
        return template ? <MailTemplateForm key={template.id} template={template} /> : <NotFound />
      }}
    </QueryContent>
  )
}

function MailTemplateForm({ template }: { template: MailTemplate }) {
  const { person } = useSignedIn()
  const update = useCall('update_email_template', ['list_email_templates'])
  const retire = (retired: boolean) =>
    void runAction(
      () => update.mutateAsync({ template_id: template.id, retired }),
      retired ? texts.retiredNow : texts.unretiredNow,
    )
  return (
    <Page
      title={template.name}
      description={texts.template}
      actions={template.retired && <StateBadge tone="off">{texts.retired}</StateBadge>}
    >
      <EditForm template={template} />
      <SettingsSection
        title={template.retired ? texts.retired : texts.retire}
        description={texts.retireText}
        actions={
          <Button
            variant="default"
            loading={update.isPending}
            onClick={() => retire(!template.retired)}
          >
            {template.retired ? texts.unretire : texts.retire}
          </Button>
        }
      >
        {null}
      </SettingsSection>
      {template.created_by?.id === person.id && <Deletion template={template} />}
    </Page>
  )
}

function EditForm({ template }: { template: MailTemplate }) {
  const { id, name, subject, body_markdown, shared, variables } = template
  const [values, setValues] = useState<TemplateValues>({ name, subject, body_markdown, shared })
  const submission = useSubmission()
  const update = useCall('update_email_template', ['list_email_templates'])
  const save = () =>
    void submission.send(async () => {
      await update.mutateAsync({ template_id: id, ...values })
      notifySuccess(texts.saved)
    })
  return (
    <TemplateForm
      values={values}
      change={setValues}
      variables={variables}
      submission={submission}
      save={save}
    />
  )
}

function Deletion({ template: { id, name } }: { template: MailTemplate }) {
  const deletion = useCall('delete_email_template', ['list_email_templates'])
  return (
    <DeletionSection
      action={texts.deleteTemplate}
      text={texts.deleteTemplateText}
      question={texts.deleteTemplateTitle(name)}
      remove={() => deletion.mutateAsync({ template_id: id })}
      doneMessage={texts.templateDeleted}
      to="/settings/mail"
    />
  )
}
