import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../../../api/queries.ts'
import { notifySuccess } from '../../../../ui/confirm.tsx'
import { Page } from '../../../../ui/Page.tsx'
import { useSending } from '../../shared/sending.tsx'
import { settingsTexts as t } from '../../texts.ts'
import { TemplateForm, type TemplateValues } from './TemplateForm.tsx'

const words = t.accounts.mail
const empty: TemplateValues = { name: '', subject: '', body_markdown: '', shared: false }

export function NewTemplate() {
  const [values, setValues] = useState(empty)
  const sending = useSending()
  const navigate = useNavigate()
  const create = useCall('create_email_template', ['list_email_templates'])
  const save = () =>
    void sending.send(async () => {
      await create.mutateAsync(values)
      notifySuccess(words.templateMade)
      await navigate({ to: '/settings/mail' })
    })
  return (
    <Page title={words.newTemplate} about={words.templatesText}>
      <TemplateForm
        values={values}
        change={setValues}
        variables={[]}
        sending={sending}
        save={save}
      />
    </Page>
  )
}
