import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { usePost } from '../../../api/queries.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { SubmissionError, runAction, useSubmission } from '../shared/sending.tsx'
import { OneTimeDialog } from '../shared/ShownOnce.tsx'
import { settingsTexts as t } from '../texts.ts'
import { Address } from './Address.tsx'
import { settingsPath, type ProviderSettings } from './provider.ts'

const texts = t.singleSignOn

/** A provider's SCIM tokens; a new one is shown once. */
export function ScimTokens({ provider, url }: { provider: ProviderSettings; url: string }) {
  return (
    <SettingsSection title={texts.scim} description={texts.scimText}>
      <Address label={texts.scimUrl} value={url} />
      {provider.scim_tokens.length === 0 ? (
        <Text size="sm">{texts.noTokens}</Text>
      ) : (
        <Rows label={texts.scim}>
          {provider.scim_tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </Rows>
      )}
      <NewToken id={provider.id} />
    </SettingsSection>
  )
}

function TokenRow({ token }: { token: ProviderSettings['scim_tokens'][number] }) {
  const { id, name, hint, last_used_at } = token
  const revoke = usePost('/web/sso/scim-tokens/:id/revoke', [settingsPath])
  const confirmRevocation = async () => {
    const { revokeTitle: title, revokeText, revoke: action } = texts
    if (await confirm({ title, text: revokeText(name), action }))
      await runAction(() => revoke.mutateAsync({ id }), texts.revoked)
  }
  return (
    <Row
      title={name}
      actions={
        <Button
          size="xs"
          variant="default"
          aria-label={texts.revokeToken(name)}
          onClick={() => void confirmRevocation()}
        >
          {texts.revoke}
        </Button>
      }
    >
      {hint}
      {' · '}
      {last_used_at === null ? (
        texts.unused
      ) : (
        <>
          {texts.used} <Ago time={last_used_at} />
        </>
      )}
    </Row>
  )
}

function NewToken({ id }: { id: string }) {
  const [name, setName] = useState('SCIM')
  const [token, setToken] = useState<string>()
  const submission = useSubmission()
  const create = usePost('/web/sso/providers/:id/scim-tokens', [settingsPath])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.send(async () => setToken((await create.mutateAsync({ id, name })).token))
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          flex="1 1 12rem"
          label={texts.tokenName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={submission.errors.name}
          required
          maxLength={100}
          dir="auto"
        />
        <Button type="submit" variant="default" loading={submission.isBusy}>
          {texts.makeToken}
        </Button>
      </Group>
      <SubmissionError submission={submission} fields={['name']} />
      {token !== undefined && (
        <OneTimeDialog
          title={texts.tokenMade}
          text={texts.tokenText}
          value={token}
          texts={{ label: texts.token, copy: texts.copyToken, done: texts.done }}
          note={null}
          onClose={() => setToken(undefined)}
        />
      )}
    </form>
  )
}
