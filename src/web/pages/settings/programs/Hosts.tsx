import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useEndpoint, usePost } from '../../../api/queries.ts'
import { confirm, notifySuccess } from '../../../ui/confirm.tsx'
import { Shown } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { Refused, submitWork, useSending } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { LiftButton, PolicyBadge } from './Policy.tsx'
import { hostsPath, programsPath } from './programs.ts'

const words = t.programs.hosts
const useDecide = () => usePost('/web/oauth/hosts/policy', [hostsPath, programsPath])

/** Callback hosts with a decision. */
export function Hosts() {
  const hosts = useEndpoint(hostsPath)
  const decide = useDecide()
  const lift = (host: string) =>
    submitWork(() => decide.mutateAsync({ host, policy: 'default' }), words.wasReset(host))
  return (
    <SettingsSection title={words.title} about={words.about}>
      <Shown query={hosts}>
        {({ items }) =>
          items.length > 0 && (
            <Rows label={words.list}>
              {items.map(({ host, policy, created_at }) => (
                <Row
                  key={host}
                  title={host}
                  beside={<PolicyBadge policy={policy} />}
                  actions={
                    <LiftButton label={words.resetOne(host)} onClick={() => void lift(host)} />
                  }
                >
                  {words.since} <Ago at={created_at} />
                </Row>
              ))}
            </Rows>
          )
        }
      </Shown>
      <DecideHost />
    </SettingsSection>
  )
}

function DecideHost() {
  const [typed, setTyped] = useState('')
  const sending = useSending()
  const decide = useDecide()
  const set = (policy: 'allow' | 'refuse') =>
    sending.send(async () => {
      const { host } = await decide.mutateAsync({ host: typed.trim(), policy })
      notifySuccess(policy === 'allow' ? words.allowed(host) : words.refused(host))
      setTyped('')
    })
  const refuse = async () => {
    const { refuseTitle: title, refuseText, refuse: action } = words
    if (await confirm({ title, text: refuseText(typed.trim()), action })) await set('refuse')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void set('allow')
  }
  const isEmpty = typed.trim() === ''
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={words.host}
          description={words.hostText}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={sending.errors.host}
          maxLength={255}
          autoCapitalize="none"
          spellCheck={false}
        />
        <Refused submission={sending} fields={['host']} />
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            disabled={isEmpty || sending.isBusy}
            onClick={() => void refuse()}
          >
            {words.refuse}
          </Button>
          <Button type="submit" variant="default" disabled={isEmpty} loading={sending.isBusy}>
            {words.allow}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
