import { Alert, Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import { usePost } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess, notifyProblem } from '../../../ui/confirm.tsx'
import { Refused, useSending } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { accountsPath, services, type ConnectedAccount } from './account.ts'
import { useGoogle } from './GoogleForm.tsx'

/** Sign-in of an account: its servers, their status, and signing in again. */
export function AccountSignIn({ account }: { account: ConnectedAccount }) {
  return (
    <div id="sign-in">
      <SettingsSection
        title={t.accounts.signIn}
        about={t.accounts.signInText(account.login)}
        actions={<Test id={account.id} />}
      >
        <Servers account={account} />
        {account.provider === 'google' ? (
          <GoogleAgain account={account} />
        ) : (
          <Password account={account} />
        )}
      </SettingsSection>
    </div>
  )
}

function Servers({ account: { servers } }: { account: ConnectedAccount }) {
  const lines = (['imap', 'smtp'] as const).flatMap((name) =>
    servers[name] ? [t.accounts.server[name](`${servers[name].host}:${servers[name].port}`)] : [],
  )
  const all = [...lines, ...(servers.caldav ? [t.accounts.server.caldav(servers.caldav.url)] : [])]
  if (all.length === 0) return null
  return (
    <Text size="sm" component="div">
      {all.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Text>
  )
}

function Test({ id }: { id: string }) {
  const test = usePost('/web/accounts/:id/test')
  const answer = test.data
  return (
    <Stack gap="xs" align="flex-start" role="status">
      <Button
        variant="default"
        loading={test.isPending}
        onClick={() => test.mutate({ id }, { onError: notifyProblem })}
      >
        {t.accounts.test}
      </Button>
      {answer && !test.isPending && (
        <Alert
          color={answer.works ? 'green' : 'red'}
          variant="light"
          p="xs"
          icon={answer.works ? <IconCheck /> : <IconX />}
        >
          <Text size="sm">
            {answer.works
              ? t.accounts.works
              : [answer.problem, answer.what_to_do].filter(Boolean).join(' ')}
          </Text>
        </Alert>
      )}
    </Stack>
  )
}

function Password({ account: { id, servers } }: { account: ConnectedAccount }) {
  const [values, setValues] = useState({ password: '', smtp_password: '' })
  const sending = useSending()
  const enter = usePost('/web/accounts/:id/password', [accountsPath])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void sending.send(async () => {
      await enter.mutateAsync({
        id,
        password: values.password,
        ...(values.smtp_password === '' ? {} : { smtp_password: values.smtp_password }),
      })
      setValues({ password: '', smtp_password: '' })
      notifySuccess(t.accounts.signedInAgain)
    })
  }
  const words = t.accounts.wizard
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label={t.accounts.newPassword}
          description={words.passwordText}
          value={values.password}
          onChange={(event) => setValues({ ...values, password: event.currentTarget.value })}
          error={sending.errors.password}
          autoComplete="off"
          required
        />
        {servers.smtp && (
          <PasswordInput
            label={words.smtpPassword}
            description={words.smtpPasswordText}
            value={values.smtp_password}
            onChange={(event) => setValues({ ...values, smtp_password: event.currentTarget.value })}
            error={sending.errors.smtp_password}
            autoComplete="off"
          />
        )}
        <Refused submission={sending} fields={['password', 'smtp_password']} />
        <Group justify="flex-end">
          <Button type="submit" loading={sending.isBusy}>
            {t.accounts.signInAgain}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function GoogleAgain({ account }: { account: ConnectedAccount }) {
  const { sending, start } = useGoogle()
  return (
    <Stack>
      <Text size="sm">{t.accounts.googleAgain}</Text>
      <Refused submission={sending} />
      <Group justify="flex-end">
        <Button loading={sending.isBusy} onClick={() => void start(services, account.id)}>
          {t.accounts.wizard.googleGo}
        </Button>
      </Group>
    </Stack>
  )
}
