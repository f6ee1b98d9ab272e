import { Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { Navigate, useSearch, type NavigateOptions } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { post } from '../../api/client.ts'
import { useEnterSession } from '../../session/entry.ts'
import { passkeyProblem, supportsPasskeys, signInByPasskey } from '../../session/passkeys.ts'
import { startSso } from '../../session/sso.ts'
import { toAppPath, useSessionState, type SignedIn } from '../../session/session.ts'
import { t } from '../../texts/index.ts'
import { EnterCard } from './EnterCard.tsx'
import { LinkNotice, ProviderButtons, ProviderSignOut } from './Providers.tsx'
import { RefusalAlert, useRetryCountdown } from './Refused.tsx'

type SignInMethod = 'password' | 'passkey' | 'provider'

export function SignIn() {
  const { to, ended, link, provider, left } = useSearch({ strict: false }) as {
    to?: unknown
    ended?: unknown
    link?: unknown
    /** The provider of an organization, for instances with several organizations. */
    provider?: unknown
    /** The provider of a session that just ended. */
    left?: unknown
  }
  const [email, setEmail] = useState('')
  const session = useSessionState()
  const { problem, busy, seconds, attempt, atProvider } = useSignIn(to, link)
  if (session.data?.signed_in && busy === undefined)
    return <Navigate {...({ href: toAppPath(to), replace: true } as NavigateOptions)} />
  return (
    <EnterCard title={t.enter.signIn.title}>
      {ended !== undefined && (
        <Text size="sm" role="status">
          {t.enter.signIn.ended}
        </Text>
      )}
      {typeof left === 'string' && <ProviderSignOut provider={left} />}
      {typeof link === 'string' && <LinkNotice provider={link} />}
      <PasswordForm
        email={email}
        setEmail={setEmail}
        problem={problem}
        seconds={seconds}
        isBusy={busy === 'password'}
        onSubmit={(credentials) => attempt('password', () => post('/web/sign-in', credentials))}
      />
      {supportsPasskeys() && (
        <>
          <Divider label={t.enter.signIn.or} />
          <Button
            variant="default"
            fullWidth
            leftSection={<IconFingerprint size={18} />}
            loading={busy === 'passkey'}
            onClick={() => void attempt('passkey', signInByPasskey)}
          >
            {t.enter.signIn.passkey}
          </Button>
        </>
      )}
      {typeof link !== 'string' && (
        <ProviderButtons
          email={email}
          provider={[provider, left].find((id) => typeof id === 'string')}
          isBusy={busy !== undefined}
          onChoose={(id) => void atProvider(id)}
        />
      )}
      <Text size="xs" c="dimmed">
        {t.enter.signIn.help}
      </Text>
    </EnterCard>
  )
}

/** The sign-in methods, the one in progress, and why the last one failed. */
function useSignIn(to: unknown, link: unknown) {
  const enter = useEnterSession()
  const [problem, setProblem] = useState<string>()
  const [pendingMethod, setBusy] = useState<SignInMethod>()
  const { seconds, waitFor } = useRetryCountdown()
  const begin = (method: SignInMethod) => {
    setBusy(method)
    setProblem(undefined)
  }
  const fail = (error: unknown) => {
    setProblem(passkeyProblem(error))
    waitFor(error)
  }
  /** Returns whether it succeeded. */
  const attempt = async (
    method: SignInMethod,
    request: () => Promise<SignedIn>,
  ): Promise<boolean> => {
    begin(method)
    try {
      const session = await request()
      if (typeof link === 'string') await startSso(link, 'link', toAppPath(to))
      else await enter(session, to)
      return true
    } catch (error) {
      fail(error)
      return false
    } finally {
      setBusy(undefined)
    }
  }
  const signInAtProvider = async (id: string) => {
    begin('provider')
    try {
      await startSso(id, 'sign_in', toAppPath(to))
    } catch (error) {
      fail(error)
      setBusy(undefined)
    }
  }
  return { problem, busy: pendingMethod, seconds, attempt, atProvider: signInAtProvider }
}

interface PasswordFormProps {
  email: string
  setEmail: (email: string) => void
  problem: string | undefined
  /** Seconds until the next attempt is possible. */
  seconds: number
  isBusy: boolean
  onSubmit: (credentials: { email: string; password: string }) => Promise<boolean>
}

function PasswordForm({ email, setEmail, problem, seconds, isBusy, onSubmit }: PasswordFormProps) {
  const [password, setPassword] = useState('')
  const passwordField = useRef<HTMLInputElement>(null)
  const submit = async () => {
    if (!(await onSubmit({ email, password }))) passwordField.current?.select()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (seconds === 0) void submit()
      }}
    >
      <Stack>
        <RefusalAlert message={problem} seconds={seconds} />
        <TextInput
          label={t.enter.email}
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          ref={passwordField}
          label={t.enter.password}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={isBusy} disabled={seconds > 0}>
          {t.enter.signIn.action}
        </Button>
      </Stack>
    </form>
  )
}
