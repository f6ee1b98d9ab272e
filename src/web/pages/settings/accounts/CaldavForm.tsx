import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { post } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import type { ConnectedAccount } from './account.ts'

/** Connects only calendars. */
export function CaldavForm({
  address,
  onBack,
  onAdded,
}: {
  address: string
  onBack: () => void
  onAdded: (account: ConnectedAccount) => Promise<void>
}) {
  const [values, setValues] = useState({ address, url: '', login: '', password: '' })
  const submission = useSubmission()
  const field = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
    error: submission.errors[name],
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { url, login, ...rest } = values
    void submission.send(async () =>
      onAdded(
        await post('/web/accounts/caldav', {
          ...rest,
          ...(url.trim() === '' ? {} : { url }),
          ...(login.trim() === '' ? {} : { login }),
        }),
      ),
    )
  }
  const texts = t.accounts.wizard
  return (
    <SettingsSection title={texts.caldavTitle} description={texts.caldavText}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t.accounts.address}
            type="email"
            {...field('address')}
            autoComplete="email"
            required
          />
          <PasswordInput
            label={texts.password}
            description={texts.passwordText}
            {...field('password')}
            autoComplete="off"
            required
          />
          <TextInput label={texts.url} description={texts.urlText} type="url" {...field('url')} />
          <TextInput
            label={texts.login}
            description={texts.loginText}
            {...field('login')}
            autoComplete="off"
          />
          <SubmissionError submission={submission} fields={Object.keys(values)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onBack}>
              {t.app.back}
            </Button>
            <Button type="submit" loading={submission.isBusy}>
              {texts.connect}
            </Button>
          </Group>
        </Stack>
      </form>
    </SettingsSection>
  )
}
