import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { post } from '../../api/client.ts'
import { fieldErrors } from '../../api/problem.ts'
import { useEnterSession } from '../../session/entry.ts'
import { t } from '../../texts/index.ts'
import type { InvitationDetails } from './invitation.ts'
import { generalMessage, RefusalAlert, useRetryCountdown } from './Refused.tsx'

/** Creates the invited person, and signs them in. */
export function InviteForm({
  token,
  invitation,
}: {
  token: string
  invitation: InvitationDetails
}) {
  const enter = useEnterSession()
  const [problem, setProblem] = useState<string>()
  const { seconds, waitFor } = useRetryCountdown()
  const form = useForm({ initialValues: { name: '', email: invitation.email ?? '', password: '' } })
  const join = form.onSubmit(async (values) => {
    setProblem(undefined)
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
    try {
      await enter(await post('/web/invitations/accept', { ...values, token, timezone }), '/')
    } catch (error) {
      const fields = fieldErrors(error)
      form.setErrors(fields)
      setProblem(generalMessage(error, fields, Object.keys(values)))
      waitFor(error)
    }
  })
  return (
    <form onSubmit={join}>
      <Stack>
        <RefusalAlert message={problem} seconds={seconds} />
        <TextInput
          label={t.enter.invite.name}
          autoComplete="name"
          required
          autoFocus
          dir="auto"
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t.enter.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          readOnly={invitation.email !== undefined}
          description={invitation.email === undefined ? undefined : t.enter.invite.emailFixed}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t.enter.password}
          description={t.enter.passwordHint}
          name="password"
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={128}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={form.submitting} disabled={seconds > 0}>
          {t.enter.invite.action}
        </Button>
      </Stack>
    </form>
  )
}
