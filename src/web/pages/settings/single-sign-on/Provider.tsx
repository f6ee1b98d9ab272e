import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useEndpoint, usePost } from '../../../api/queries.ts'
import { NotFound } from '../../../ui/NotFound.tsx'
import { useIsAdmin } from '../../../session/session.ts'
import { confirm, notifySuccess } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Shown } from '../../../ui/states.tsx'
import { AdminsOnly } from '../shared/AdminsOnly.tsx'
import { SaveRow } from '../shared/SaveRow.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { Refused, submitWork, useSending } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { Address } from './Address.tsx'
import { GroupRules } from './GroupRules.tsx'
import {
  here,
  sentProvider,
  settingsPath,
  typedProvider,
  type ProviderSettings,
} from './provider.ts'
import { ConnectionFields, JoiningFields, providerFieldNames } from './ProviderFields.tsx'
import { ScimTokens } from './ScimTokens.tsx'

const words = t.singleSignOn

/** One identity provider: its connection, its membership rules, its groups, and its SCIM tokens. */
export function ProviderPage() {
  const isAdmin = useIsAdmin()
  return isAdmin ? <Known /> : <AdminsOnly title={words.title} />
}

function Known() {
  const { id } = useParams({ strict: false }) as { id: string }
  const settings = useEndpoint(settingsPath)
  return (
    <Shown query={settings}>
      {({ providers, scim_url }) => {
        const provider = providers.find((row) => row.id === id)
        return provider ? (
          <Page title={provider.name} about={provider.issuer}>
            <Connection provider={provider} />
            <Edit key={provider.id} provider={provider} />
            <ScimTokens provider={provider} url={scim_url} />
            <Removal provider={provider} />
          </Page>
        ) : (
          <NotFound />
        )
      }}
    </Shown>
  )
}

function Connection({ provider }: { provider: ProviderSettings }) {
  const check = usePost('/web/sso/providers/:id/check')
  const [result, setCheckResult] = useState<string>()
  const sending = useSending()
  const test = () => {
    setCheckResult(undefined)
    void sending.send(async () => {
      const { keys, algorithms, client_auth, unchecked } = await check.mutateAsync({
        id: provider.id,
      })
      setCheckResult(
        [
          words.checked(keys, algorithms.join(', ')),
          ...(client_auth === null ? [] : [words.secretAccepted(client_auth)]),
          words.unchecked(unchecked),
        ].join(' '),
      )
    })
  }
  return (
    <SettingsSection
      title={words.connection}
      about={words.connectionText}
      actions={
        <Button variant="default" onClick={test} loading={sending.isBusy}>
          {words.check}
        </Button>
      }
    >
      <Address label={words.redirect} value={provider.redirect_uri} />
      <Address label={words.backchannel} value={provider.backchannel_logout_uri} />
      {result && (
        <Text size="sm" role="status">
          {result}
        </Text>
      )}
      <Refused submission={sending} />
    </SettingsSection>
  )
}

function Edit({ provider }: { provider: ProviderSettings }) {
  const [values, setValues] = useState(() => typedProvider(provider))
  const sending = useSending()
  const update = usePost('/web/sso/providers/:id', [settingsPath])
  const fields = {
    values,
    sending,
    set: (more: Partial<typeof values>) => setValues({ ...values, ...more }),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void sending.send(async () => {
      const { client_secret } = values
      await update.mutateAsync({
        id: provider.id,
        ...sentProvider(values),
        ...(client_secret === '' ? {} : { client_secret }),
      })
      setValues({ ...values, client_secret: '' })
      notifySuccess(words.saved)
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <SettingsSection title={words.settings}>
          <ConnectionFields {...fields} isNew={false} />
        </SettingsSection>
        <SettingsSection title={words.joining}>
          <JoiningFields {...fields} />
        </SettingsSection>
        <SettingsSection title={words.groups} about={words.groupsText}>
          <GroupRules {...fields} />
        </SettingsSection>
        <Refused submission={sending} fields={providerFieldNames} />
        <SaveRow isBusy={sending.isBusy} />
      </Stack>
    </form>
  )
}

function Removal({ provider: { id, name } }: { provider: ProviderSettings }) {
  const remove = usePost('/web/sso/providers/:id/remove')
  const navigate = useNavigate()
  const ask = async () => {
    const { removeTitle, removeText, remove: action } = words
    if (!(await confirm({ title: removeTitle(name), text: removeText, action }))) return
    if (await submitWork(() => remove.mutateAsync({ id }), words.removed(name)))
      await navigate({ to: here })
  }
  return (
    <Group>
      <Button variant="default" color="red" onClick={() => void ask()} loading={remove.isPending}>
        {words.remove}
      </Button>
    </Group>
  )
}
