import { Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { Navigate, useSearch, type NavigateOptions } from '@tanstack/react-router'
import { useRef, useState, type FormEvent } from 'react'
import { post } from '../../api/client.ts'
import { useEntering } from '../../session/entry.ts'
import { passkeyProblem, passkeysWork, signInByPasskey } from '../../session/passkeys.ts'
import { startSso } from '../../session/sso.ts'
import { ownAddress, useSessionState, type SignedIn } from '../../session/session.ts'
import { t } from '../../texts/index.ts'
import { EnterCard } from './EnterCard.tsx'
import { LinkNotice, ProviderButtons } from './Providers.tsx'
import { Refused, usePause } from './Refused.tsx'

export function SignIn() {
  const { to, ended, link } = useSearch({ strict: false }) as {
    to?: unknown
    ended?: unknown
    link?: unknown
  }
  const enter = useEntering()
  const session = useSessionState()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState<'password' | 'passkey' | 'provider'>()
  const { seconds, waitFor } = usePause()
  const passwordField = useRef<HTMLInputElement>(null)

  const attempt = async (way: 'password' | 'passkey', work: () => Promise<SignedIn>) => {
    setBusy(way)
    setProblem(undefined)
    try {
      const session = await work()
      if (typeof link === 'string') await startSso(link, 'link', ownAddress(to))
      else await enter(session, to)
    } catch (error) {
      setProblem(passkeyProblem(error))
      waitFor(error)
      if (way === 'password') passwordField.current?.select()
    } finally {
      setBusy(undefined)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (seconds === 0) void attempt('password', () => post('/web/sign-in', { email, password }))
  }
  const atProvider = async (id: string) => {
    setBusy('provider')
    setProblem(undefined)
    try {
      await startSso(id, 'sign_in', ownAddress(to))
    } catch (error) {
      setProblem(passkeyProblem(error))
      waitFor(error)
      setBusy(undefined)
    }
  }
  if (session.data?.signed_in && busy === undefined)
    return <Navigate {...({ href: ownAddress(to), replace: true } as NavigateOptions)} />
  return (
    <EnterCard title={t.enter.signIn.title}>
      {ended !== undefined && (
        <Text size="sm" role="status">
          {t.enter.signIn.ended}
        </Text>
      )}
      {typeof link === 'string' && <LinkNotice provider={link} />}
      <form onSubmit={submit}>
        <Stack>
          <Refused message={problem} seconds={seconds} />
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
          <Button type="submit" fullWidth loading={busy === 'password'} disabled={seconds > 0}>
            {t.enter.signIn.action}
          </Button>
        </Stack>
      </form>
      {passkeysWork() && (
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
        <ProviderButtons isBusy={busy !== undefined} onChoose={(id) => void atProvider(id)} />
      )}
      <Text size="xs" c="dimmed">
        {t.enter.signIn.help}
      </Text>
    </EnterCard>
  )
}
