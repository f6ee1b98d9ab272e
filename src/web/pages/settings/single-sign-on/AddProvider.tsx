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
import { Refused, useSending } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { here, sentProvider, settingsPath, typedProvider } from './provider.ts'
import { ConnectionFields, JoiningFields, providerFieldNames } from './ProviderFields.tsx'

const words = t.singleSignOn

/** Adds a provider, and opens it to set its groups and tokens. */
export function AddProvider() {
  const isAdmin = useIsAdmin()
  const [values, setValues] = useState(() => typedProvider())
  const sending = useSending()
  const add = usePost('/web/sso/providers', [settingsPath])
  const navigate = useNavigate()
  if (!isAdmin) return <AdminsOnly title={words.add} />
  const fields = {
    values,
    sending,
    set: (more: Partial<typeof values>) => setValues({ ...values, ...more }),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void sending.send(async () => {
      const { issuer, client_secret } = values
      const { id, name } = await add.mutateAsync({
        ...sentProvider(values),
        issuer,
        client_secret,
      })
      notifySuccess(words.added(name))
      await navigate({ to: `${here}/${id}` })
    })
  }
  return (
    <Page title={words.add} about={words.about}>
      <form onSubmit={submit}>
        <Stack>
          <SettingsSection title={words.connection}>
            <ConnectionFields {...fields} isNew />
          </SettingsSection>
          <SettingsSection title={words.joining}>
            <JoiningFields {...fields} />
          </SettingsSection>
          <Refused submission={sending} fields={providerFieldNames} />
          <SaveRow isBusy={sending.isBusy} />
        </Stack>
      </form>
    </Page>
  )
}
