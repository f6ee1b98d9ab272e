import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useEndpoint, usePost } from '../../../api/queries.ts'
import { confirm, notifySuccess } from '../../../ui/confirm.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { SubmissionError, runAction, useSubmission } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { ResetPolicyButton, PolicyBadge } from './Policy.tsx'
import { hostsPath, programsPath } from './programs.ts'

const texts = t.programs.hosts
const useSetHostPolicy = () => usePost('/web/oauth/hosts/policy', [hostsPath, programsPath])

/** Callback hosts with a decision. */
export function Hosts() {
  const hosts = useEndpoint(hostsPath)
  const setPolicy = useSetHostPolicy()
  const resetPolicy = (host: string) =>
    runAction(() => setPolicy.mutateAsync({ host, policy: 'default' }), texts.wasReset(host))
  return (
    <SettingsSection title={texts.title} description={texts.about}>
      <QueryContent query={hosts}>
        {({ items }) =>
          items.length > 0 && (
            <Rows label={texts.list}>
              {items.map(({ host, policy, created_at }) => (
                <Row
                  key={host}
                  title={host}
                  badge={<PolicyBadge policy={policy} />}
                  actions={
                    <ResetPolicyButton
                      label={texts.resetOne(host)}
                      onClick={() => void resetPolicy(host)}
                    />
                  }
                >
                  {texts.since} <Ago time={created_at} />
                </Row>
              ))}
            </Rows>
          )
        }
      </QueryContent>
      <HostPolicyForm />
    </SettingsSection>
  )
}

function HostPolicyForm() {
  const [hostText, setHostText] = useState('')
  const submission = useSubmission()
  const setPolicy = useSetHostPolicy()
  const savePolicy = (policy: 'allow' | 'refuse') =>
    submission.send(async () => {
      const { host } = await setPolicy.mutateAsync({ host: hostText.trim(), policy })
      notifySuccess(policy === 'allow' ? texts.allowed(host) : texts.refused(host))
      setHostText('')
    })
  const refuse = async () => {
    const { refuseTitle: title, refuseText, refuse: action } = texts
    if (await confirm({ title, text: refuseText(hostText.trim()), action }))
      await savePolicy('refuse')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void savePolicy('allow')
  }
  const isEmpty = hostText.trim() === ''
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={texts.host}
          description={texts.hostText}
          value={hostText}
          onChange={(event) => setHostText(event.currentTarget.value)}
          error={submission.errors.host}
          maxLength={255}
          autoCapitalize="none"
          spellCheck={false}
        />
        <SubmissionError submission={submission} fields={['host']} />
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            disabled={isEmpty || submission.isBusy}
            onClick={() => void refuse()}
          >
            {texts.refuse}
          </Button>
          <Button type="submit" variant="default" disabled={isEmpty} loading={submission.isBusy}>
            {texts.allow}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
