import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useEndpoint, usePost } from '../../../api/queries.ts'
import { NotFound } from '../../../ui/NotFound.tsx'
import { useIsAdmin } from '../../../session/session.ts'
import { confirm, notifySuccess } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { AdminsOnly } from '../shared/AdminsOnly.tsx'
import { SaveRow } from '../shared/SaveRow.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { SubmissionError, runAction, useSubmission } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { Address } from './Address.tsx'
import { GroupRules } from './GroupRules.tsx'
import {
  singleSignOnPath,
  toProviderInput,
  settingsPath,
  providerValues,
  type ProviderSettings,
} from './provider.ts'
import { ConnectionFields, JoiningFields, providerFieldNames } from './ProviderFields.tsx'
import { ScimTokens } from './ScimTokens.tsx'

const texts = t.singleSignOn

/** One identity provider: its connection, its membership rules, its groups, and its SCIM tokens. */
export function ProviderPage() {
  const isAdmin = useIsAdmin()
  return isAdmin ? <ProviderDetails /> : <AdminsOnly title={texts.title} />
}

function ProviderDetails() {
  const { id } = useParams({ strict: false }) as { id: string }
  const settings = useEndpoint(settingsPath)
  return (
    <QueryContent query={settings}>
      {({ providers, scim_url }) => {
        const provider = providers.find((row) => row.id === id)
        return provider ? (
          <Page title={provider.name} description={provider.issuer}>
            <Connection provider={provider} />
            <EditForm key={provider.id} provider={provider} />
            <ScimTokens provider={provider} url={scim_url} />
            <Removal provider={provider} />
          </Page>
        ) : (
          <NotFound />
        )
      }}
    </QueryContent>
  )
}

function Connection({ provider }: { provider: ProviderSettings }) {
  const check = usePost('/web/sso/providers/:id/check')
  const [result, setCheckResult] = useState<string>()
  const submission = useSubmission()
  const test = () => {
    setCheckResult(undefined)
    void submission.send(async () => {
      const { keys, algorithms, client_auth, unchecked } = await check.mutateAsync({
        id: provider.id,
      })
      setCheckResult(
        [
          texts.checked(keys, algorithms.join(', ')),
          ...(client_auth === null ? [] : [texts.secretAccepted(client_auth)]),
          texts.unchecked(unchecked),
        ].join(' '),
      )
    })
  }
  return (
    <SettingsSection
      title={texts.connection}
      description={texts.connectionText}
      actions={
        <Button variant="default" onClick={test} loading={submission.isBusy}>
          {texts.check}
        </Button>
      }
    >
      <Address label={texts.redirect} value={provider.redirect_uri} />
      <Address label={texts.backchannel} value={provider.backchannel_logout_uri} />
      {result && (
        <Text size="sm" role="status">
          {result}
        </Text>
      )}
      <SubmissionError submission={submission} />
    </SettingsSection>
  )
}

function EditForm({ provider }: { provider: ProviderSettings }) {
  const [values, setValues] = useState(() => providerValues(provider))
  const submission = useSubmission()
  const update = usePost('/web/sso/providers/:id', [settingsPath])
  const fields = {
    values,
    submission,
    set: (changes: Partial<typeof values>) => setValues({ ...values, ...changes }),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.send(async () => {
      const { client_secret } = values
      await update.mutateAsync({
        id: provider.id,
        ...toProviderInput(values),
        ...(client_secret === '' ? {} : { client_secret }),
      })
      setValues({ ...values, client_secret: '' })
      notifySuccess(texts.saved)
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <SettingsSection title={texts.settings}>
          <ConnectionFields {...fields} isNew={false} />
        </SettingsSection>
        <SettingsSection title={texts.joining}>
          <JoiningFields {...fields} />
        </SettingsSection>
        <SettingsSection title={texts.groups} description={texts.groupsText}>
          <GroupRules {...fields} />
        </SettingsSection>
        <SubmissionError submission={submission} fields={providerFieldNames} />
        <SaveRow isBusy={submission.isBusy} />
      </Stack>
    </form>
  )
}

function Removal({ provider: { id, name } }: { provider: ProviderSettings }) {
  const remove = usePost('/web/sso/providers/:id/remove')
  const navigate = useNavigate()
  const confirmRemoval = async () => {
    const { removeTitle, removeText, remove: action } = texts
    if (!(await confirm({ title: removeTitle(name), text: removeText, action }))) return
    if (await runAction(() => remove.mutateAsync({ id }), texts.removed(name)))
      await navigate({ to: singleSignOnPath })
  }
  return (
    <Group>
      <Button
        variant="default"
        color="red"
        onClick={() => void confirmRemoval()}
        loading={remove.isPending}
      >
        {texts.remove}
      </Button>
    </Group>
  )
}
