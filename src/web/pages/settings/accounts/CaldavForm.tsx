import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { post } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { Refused, useSending } from '../shared/sending.tsx'
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
  const sending = useSending()
  const field = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
    error: sending.errors[name],
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { url, login, ...rest } = values
    void sending.send(async () =>
      onAdded(
        await post('/web/accounts/caldav', {
          ...rest,
          ...(url.trim() === '' ? {} : { url }),
          ...(login.trim() === '' ? {} : { login }),
        }),
      ),
    )
  }
  const words = t.accounts.wizard
  return (
    <SettingsSection title={words.caldavTitle} about={words.caldavText}>
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
            label={words.password}
            description={words.passwordText}
            {...field('password')}
            autoComplete="off"
            required
          />
          <TextInput label={words.url} description={words.urlText} type="url" {...field('url')} />
          <TextInput
            label={words.login}
            description={words.loginText}
            {...field('login')}
            autoComplete="off"
          />
          <Refused submission={sending} fields={Object.keys(values)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onBack}>
              {t.app.back}
            </Button>
            <Button type="submit" loading={sending.isBusy}>
              {words.connect}
            </Button>
          </Group>
        </Stack>
      </form>
    </SettingsSection>
  )
}
