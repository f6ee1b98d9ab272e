import { Alert, Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import { usePost } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess, notifyProblem } from '../../../ui/confirm.tsx'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { accountsPath, services, type ConnectedAccount } from './account.ts'
import { useGoogleSignIn } from './GoogleForm.tsx'

/** Sign-in of an account: its servers, their status, and signing in again. */
export function AccountSignIn({ account }: { account: ConnectedAccount }) {
  return (
    <div id="sign-in">
      <SettingsSection
        title={t.accounts.signIn}
        description={t.accounts.signInText(account.login)}
        actions={<ConnectionTest id={account.id} />}
      >
        <Servers account={account} />
        {account.provider === 'google' ? (
          <GoogleSignIn account={account} />
        ) : (
          <PasswordForm account={account} />
        )}
      </SettingsSection>
    </div>
  )
}

function Servers({ account: { servers } }: { account: ConnectedAccount }) {
  const lines = (['imap', 'smtp'] as const).flatMap((name) =>
    servers[name] ? [t.accounts.server[name](`${servers[name].host}:${servers[name].port}`)] : [],
  )
  const serverLines = [
    ...lines,
    ...(servers.caldav ? [t.accounts.server.caldav(servers.caldav.url)] : []),
  ]
  if (serverLines.length === 0) return null
  return (
    <Text size="sm" component="div">
      {serverLines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Text>
  )
}

function ConnectionTest({ id }: { id: string }) {
  const test = usePost('/web/accounts/:id/test')
  const result = test.data
  return (
    <Stack gap="xs" align="flex-start" role="status">
      <Button
        variant="default"
        loading={test.isPending}
        onClick={() => test.mutate({ id }, { onError: notifyProblem })}
      >
        {t.accounts.test}
      </Button>
      {result && !test.isPending && (
        <Alert
          color={result.works ? 'green' : 'red'}
          variant="light"
          p="xs"
          icon={result.works ? <IconCheck /> : <IconX />}
        >
          <Text size="sm">
            {result.works
              ? t.accounts.works
              : [result.problem, result.what_to_do].filter(Boolean).join(' ')}
          </Text>
        </Alert>
      )}
    </Stack>
  )
}

function PasswordForm({ account: { id, servers } }: { account: ConnectedAccount }) {
  const [values, setValues] = useState({ password: '', smtp_password: '' })
  const submission = useSubmission()
  const savePassword = usePost('/web/accounts/:id/password', [accountsPath])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.send(async () => {
      await savePassword.mutateAsync({
        id,
        password: values.password,
        ...(values.smtp_password === '' ? {} : { smtp_password: values.smtp_password }),
      })
      setValues({ password: '', smtp_password: '' })
      notifySuccess(t.accounts.signedInAgain)
    })
  }
  const texts = t.accounts.wizard
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label={t.accounts.newPassword}
          description={texts.passwordText}
          value={values.password}
          onChange={(event) => setValues({ ...values, password: event.currentTarget.value })}
          error={submission.errors.password}
          autoComplete="off"
          required
        />
        {servers.smtp && (
          <PasswordInput
            label={texts.smtpPassword}
            description={texts.smtpPasswordText}
            value={values.smtp_password}
            onChange={(event) => setValues({ ...values, smtp_password: event.currentTarget.value })}
            error={submission.errors.smtp_password}
            autoComplete="off"
          />
        )}
        <SubmissionError submission={submission} fields={['password', 'smtp_password']} />
        <Group justify="flex-end">
          <Button type="submit" loading={submission.isBusy}>
            {t.accounts.signInAgain}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function GoogleSignIn({ account }: { account: ConnectedAccount }) {
  const { sending, start } = useGoogleSignIn()
  return (
    <Stack>
      <Text size="sm">{t.accounts.googleAgain}</Text>
      <SubmissionError submission={sending} />
      <Group justify="flex-end">
        <Button loading={sending.isBusy} onClick={() => void start(services, account.id)}>
          {t.accounts.wizard.googleGo}
        </Button>
      </Group>
    </Stack>
  )
}
