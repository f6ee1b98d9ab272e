import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../../../api/queries.ts'
import { notifySuccess } from '../../../../ui/confirm.tsx'
import { Page } from '../../../../ui/Page.tsx'
import { useSubmission } from '../../shared/sending.tsx'
import { settingsTexts as t } from '../../texts.ts'
import { TemplateForm, type TemplateValues } from './TemplateForm.tsx'

const texts = t.accounts.mail
const emptyValues: TemplateValues = { name: '', subject: '', body_markdown: '', shared: false }

export function NewTemplate() {
  const [values, setValues] = useState(emptyValues)
  const submission = useSubmission()
  const navigate = useNavigate()
  const create = useCall('create_email_template', ['list_email_templates'])
  const save = () =>
    void submission.send(async () => {
      await create.mutateAsync(values)
      notifySuccess(texts.templateMade)
      await navigate({ to: '/settings/mail' })
    })
  return (
    <Page title={texts.newTemplate} description={texts.templatesText}>
      <TemplateForm
        values={values}
        change={setValues}
        variables={[]}
        submission={submission}
        save={save}
      />
    </Page>
  )
}
