import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { usePost } from '../../../api/queries.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { Refused, submitWork, useSending } from '../shared/sending.tsx'
import { ShownOnce } from '../shared/ShownOnce.tsx'
import { settingsTexts as t } from '../texts.ts'
import { Address } from './Address.tsx'
import { settingsPath, type ProviderSettings } from './provider.ts'

const words = t.singleSignOn

/** A provider's SCIM tokens; a new one is shown once. */
export function ScimTokens({ provider, url }: { provider: ProviderSettings; url: string }) {
  return (
    <SettingsSection title={words.scim} about={words.scimText}>
      <Address label={words.scimUrl} value={url} />
      {provider.scim_tokens.length === 0 ? (
        <Text size="sm">{words.noTokens}</Text>
      ) : (
        <Rows label={words.scim}>
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
  const ask = async () => {
    const { revokeTitle: title, revokeText, revoke: action } = words
    if (await confirm({ title, text: revokeText(name), action }))
      await submitWork(() => revoke.mutateAsync({ id }), words.revoked)
  }
  return (
    <Row
      title={name}
      actions={
        <Button
          size="xs"
          variant="default"
          aria-label={words.revokeToken(name)}
          onClick={() => void ask()}
        >
          {words.revoke}
        </Button>
      }
    >
      {hint}
      {' · '}
      {last_used_at === null ? (
        words.unused
      ) : (
        <>
          {words.used} <Ago at={last_used_at} />
        </>
      )}
    </Row>
  )
}

function NewToken({ id }: { id: string }) {
  const [name, setName] = useState('SCIM')
  const [token, setToken] = useState<string>()
  const sending = useSending()
  const create = usePost('/web/sso/providers/:id/scim-tokens', [settingsPath])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void sending.send(async () => setToken((await create.mutateAsync({ id, name })).token))
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          flex="1 1 12rem"
          label={words.tokenName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={sending.errors.name}
          required
          maxLength={100}
          dir="auto"
        />
        <Button type="submit" variant="default" loading={sending.isBusy}>
          {words.makeToken}
        </Button>
      </Group>
      <Refused submission={sending} fields={['name']} />
      {token !== undefined && (
        <ShownOnce
          title={words.tokenMade}
          text={words.tokenText}
          value={token}
          words={{ label: words.token, copy: words.copyToken, done: words.done }}
          note={null}
          onClose={() => setToken(undefined)}
        />
      )}
    </form>
  )
}
