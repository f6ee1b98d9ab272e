import { Checkbox, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { SaveRow } from '../../shared/SaveRow.tsx'
import { SettingsSection } from '../../shared/Section.tsx'
import { Refused, type Submission } from '../../shared/sending.tsx'
import { settingsTexts as t } from '../../texts.ts'

const words = t.accounts.mail

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
  sending: Submission
  save: () => void
}

/** The form of a mail template. */
export function TemplateForm({ values, change, variables, sending, save }: TemplateFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <SettingsSection title={words.template}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={words.name}
            value={values.name}
            onChange={(event) => change({ ...values, name: event.currentTarget.value })}
            error={sending.errors.name}
            required
            dir="auto"
          />
          <TextInput
            label={words.subject}
            value={values.subject}
            onChange={(event) => change({ ...values, subject: event.currentTarget.value })}
            error={sending.errors.subject}
            required
            dir="auto"
          />
          <Textarea
            label={words.body}
            value={values.body_markdown}
            onChange={(event) => change({ ...values, body_markdown: event.currentTarget.value })}
            error={sending.errors.body_markdown}
            autosize
            minRows={8}
            maxRows={30}
            required
            dir="auto"
          />
          <Text size="sm" c="dimmed">
            {variables.length > 0
              ? `${words.variables}: ${variables.map((variable) => `{{${variable}}}`).join(', ')}`
              : words.variablesText}
          </Text>
          <Checkbox
            label={words.shared}
            checked={values.shared}
            onChange={(event) => change({ ...values, shared: event.currentTarget.checked })}
          />
          <Refused submission={sending} fields={Object.keys(values)} />
          <SaveRow isBusy={sending.isBusy} />
        </Stack>
      </form>
    </SettingsSection>
  )
}
