import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { post } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { accountsPath, useAccounts, type ConnectedAccount, type Discovered } from './account.ts'
import { CaldavForm } from './CaldavForm.tsx'
import { GoogleForm } from './GoogleForm.tsx'
import { MailForm } from './MailForm.tsx'

type Step =
  | { name: 'address' }
  | { name: 'mail'; discovered: Discovered }
  | { name: 'google' }
  | { name: 'caldav' }

/** Guides from an address to a connected account. */
export function AddAccount() {
  const accounts = useAccounts()
  const [address, setAddress] = useState('')
  const [step, setStep] = useState<Step>({ name: 'address' })
  const navigate = useNavigate()
  const client = useQueryClient()
  const back = () => setStep({ name: 'address' })
  const onAdded = async (account: ConnectedAccount) => {
    await client.invalidateQueries({ queryKey: ['web', accountsPath] })
    notifySuccess(t.accounts.wizard.connected(account.address))
    await navigate({ to: `/settings/accounts/${account.id}` })
  }
  return (
    <Page title={t.accounts.wizard.title} description={t.accounts.wizard.about}>
      <QueryContent query={accounts}>
        {({ google }) => {
          if (step.name === 'mail')
            return (
              <MailForm
                address={address}
                discovered={step.discovered}
                hasGoogle={google}
                onGoogle={() => setStep({ name: 'google' })}
                onBack={back}
                onAdded={onAdded}
              />
            )
          if (step.name === 'google') return <GoogleForm isConfigured={google} onBack={back} />
          if (step.name === 'caldav')
            return <CaldavForm address={address} onBack={back} onAdded={onAdded} />
          return (
            <AddressStep
              address={address}
              onAddress={setAddress}
              onStep={setStep}
              hasGoogle={google}
            />
          )
        }}
      </QueryContent>
    </Page>
  )
}

function AddressStep({
  address,
  onAddress,
  onStep,
  hasGoogle,
}: {
  address: string
  onAddress: (address: string) => void
  onStep: (step: Step) => void
  hasGoogle: boolean
}) {
  const submission = useSubmission()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.send(async () => {
      const discovered = await post('/web/accounts/discover', { address })
      onStep(discovered.is_google && hasGoogle ? { name: 'google' } : { name: 'mail', discovered })
    })
  }
  return (
    <SettingsSection title={t.accounts.wizard.address} description={t.accounts.wizard.addressText}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t.accounts.address}
            type="email"
            value={address}
            onChange={(event) => onAddress(event.currentTarget.value)}
            error={submission.errors.address}
            autoComplete="email"
            required
            autoFocus
          />
          <SubmissionError submission={submission} fields={['address']} />
          <Group justify="space-between">
            <Group gap="md">
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => onStep({ name: 'google' })}
              >
                {t.accounts.wizard.google}
              </Anchor>
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => onStep({ name: 'caldav' })}
              >
                {t.accounts.wizard.caldav}
              </Anchor>
            </Group>
            <Button type="submit" loading={submission.isBusy}>
              {t.accounts.wizard.next}
            </Button>
          </Group>
        </Stack>
      </form>
    </SettingsSection>
  )
}
