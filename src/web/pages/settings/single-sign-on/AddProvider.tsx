import { Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { usePost } from '../../../api/queries.ts'
import { useIsAdmin } from '../../../session/session.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { AdminsOnly } from '../shared/AdminsOnly.tsx'
import { SaveRow } from '../shared/SaveRow.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { singleSignOnPath, toProviderInput, settingsPath, providerValues } from './provider.ts'
import { ConnectionFields, JoiningFields, providerFieldNames } from './ProviderFields.tsx'

const texts = t.singleSignOn

/** Adds a provider, and opens it to set its groups and tokens. */
export function AddProvider() {
  const isAdmin = useIsAdmin()
  const [values, setValues] = useState(() => providerValues())
  const submission = useSubmission()
  const add = usePost('/web/sso/providers', [settingsPath])
  const navigate = useNavigate()
  if (!isAdmin) return <AdminsOnly title={texts.add} />
  const fields = {
    values,
    submission,
    set: (changes: Partial<typeof values>) => setValues({ ...values, ...changes }),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.send(async () => {
      const { issuer, client_secret } = values
      const { id, name } = await add.mutateAsync({
        ...toProviderInput(values),
        issuer,
        client_secret,
      })
      notifySuccess(texts.added(name))
      await navigate({ to: `${singleSignOnPath}/${id}` })
    })
  }
  return (
    <Page title={texts.add} description={texts.about}>
      <form onSubmit={submit}>
        <Stack>
          <SettingsSection title={texts.connection}>
            <ConnectionFields {...fields} isNew />
          </SettingsSection>
          <SettingsSection title={texts.joining}>
            <JoiningFields {...fields} />
          </SettingsSection>
          <SubmissionError submission={submission} fields={providerFieldNames} />
          <SaveRow isBusy={submission.isBusy} />
        </Stack>
      </form>
    </Page>
  )
}
