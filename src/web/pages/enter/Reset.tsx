import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../../api/client.ts'
import { fieldErrors } from '../../api/problem.ts'
import { t } from '../../texts/index.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import { EnterCard } from './EnterCard.tsx'
import { generalMessage, RefusalAlert, useRetryCountdown } from './Refused.tsx'

export function Reset() {
  const { token = '' } = useParams({ strict: false }) as { token?: string }
  const [isDone, setDone] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { seconds, waitFor } = useRetryCountdown()
  const form = useForm({ initialValues: { password: '' } })
  const reset = form.onSubmit(async ({ password }) => {
    setProblem(undefined)
    try {
      await post('/web/reset', { token, password })
      setDone(true)
    } catch (error) {
      const fields = fieldErrors(error)
      form.setErrors(fields)
      setProblem(generalMessage(error, fields, ['password']))
      waitFor(error)
    }
  })
  if (isDone) {
    return (
      <EnterCard title={t.enter.reset.title}>
        <Text role="status">{t.enter.reset.done}</Text>
        <Button component={RouterLink} to="/sign-in">
          {t.enter.reset.toSignIn}
        </Button>
      </EnterCard>
    )
  }
  return (
    <EnterCard title={t.enter.reset.title} about={t.enter.reset.about}>
      <form onSubmit={reset}>
        <Stack>
          <RefusalAlert message={problem} seconds={seconds} />
          <PasswordInput
            label={t.enter.newPassword}
            description={t.enter.passwordHint}
            name="password"
            autoComplete="new-password"
            required
            autoFocus
            minLength={12}
            maxLength={128}
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={form.submitting} disabled={seconds > 0}>
            {t.enter.reset.action}
          </Button>
        </Stack>
      </form>
    </EnterCard>
  )
}
