import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { usePost } from '../../../api/queries.ts'
import { SettingsSection } from '../shared/Section.tsx'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { OneTimeDialog } from '../shared/ShownOnce.tsx'
import { settingsTexts as t } from '../texts.ts'
import { programsPath } from './programs.ts'

const texts = t.programs
const emptyValues = { name: '', redirects: '' }

/** Registers a program that cannot register itself; its secret is shown once. */
export function EnterProgram() {
  const [values, setValues] = useState(emptyValues)
  const [createdProgram, setCreatedProgram] = useState<{
    client_id: string
    client_secret: string
    name: string
  }>()
  const submission = useSubmission()
  const registerProgram = usePost(programsPath, [programsPath])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.send(async () => {
      const redirect_uris = values.redirects.split(/\s+/).filter((line) => line !== '')
      setCreatedProgram(await registerProgram.mutateAsync({ name: values.name, redirect_uris }))
      setValues(emptyValues)
    })
  }
  return (
    <SettingsSection title={texts.enter} description={texts.enterText}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={texts.name}
            description={texts.nameText}
            value={values.name}
            onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
            error={submission.errors.name}
            required
            maxLength={100}
            dir="auto"
          />
          <Textarea
            label={texts.redirects}
            description={texts.redirectsText}
            value={values.redirects}
            onChange={(event) => setValues({ ...values, redirects: event.currentTarget.value })}
            error={submission.errors.redirect_uris}
            required
            autosize
            minRows={2}
          />
          <SubmissionError submission={submission} fields={['name', 'redirect_uris']} />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={submission.isBusy}>
              {texts.create}
            </Button>
          </Group>
        </Stack>
      </form>
      {createdProgram !== undefined && (
        <OneTimeDialog
          title={texts.entered(createdProgram.name)}
          text={texts.enteredText(createdProgram.client_id)}
          value={createdProgram.client_secret}
          texts={{ label: texts.secret, copy: texts.copySecret, done: texts.done }}
          note={null}
          onClose={() => setCreatedProgram(undefined)}
        />
      )}
    </SettingsSection>
  )
}
