import { Checkbox, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { SaveRow } from '../../shared/SaveRow.tsx'
import { SettingsSection } from '../../shared/Section.tsx'
import { SubmissionError, type Submission } from '../../shared/sending.tsx'
import { settingsTexts as t } from '../../texts.ts'

const texts = t.accounts.mail

export interface TemplateValues {
  name: string
  subject: string
  body_markdown: string
  shared: boolean
}

interface TemplateFormProps {
  values: TemplateValues
  change: (values: TemplateValues) => void
  /** Variables that the stored template uses. */
  variables: readonly string[]
  submission: Submission
  save: () => void
}

/** The form of a mail template. */
export function TemplateForm({ values, change, variables, submission, save }: TemplateFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <SettingsSection title={texts.template}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={texts.name}
            value={values.name}
            onChange={(event) => change({ ...values, name: event.currentTarget.value })}
            error={submission.errors.name}
            required
            dir="auto"
          />
          <TextInput
            label={texts.subject}
            value={values.subject}
            onChange={(event) => change({ ...values, subject: event.currentTarget.value })}
            error={submission.errors.subject}
            required
            dir="auto"
          />
          <Textarea
            label={texts.body}
            value={values.body_markdown}
            onChange={(event) => change({ ...values, body_markdown: event.currentTarget.value })}
            error={submission.errors.body_markdown}
            autosize
            minRows={8}
            maxRows={30}
            required
            dir="auto"
          />
          <Text size="sm" c="dimmed">
            {variables.length > 0
              ? `${texts.variables}: ${variables.map((variable) => `{{${variable}}}`).join(', ')}`
              : texts.variablesText}
          </Text>
          <Checkbox
            label={texts.shared}
            checked={values.shared}
            onChange={(event) => change({ ...values, shared: event.currentTarget.checked })}
          />
          <SubmissionError submission={submission} fields={Object.keys(values)} />
          <SaveRow isBusy={submission.isBusy} />
        </Stack>
      </form>
    </SettingsSection>
  )
}
