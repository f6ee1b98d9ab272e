import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../../api/client.ts'
import { fieldErrors } from '../../api/problem.ts'
import { sessionKey, useSignedIn } from '../../session/session.ts'
import { t } from '../../texts/index.ts'
import { notifySuccess } from '../../ui/confirm.tsx'
import { Problem } from '../../ui/states.tsx'

export function PasswordForm() {
  const client = useQueryClient()
  const { person } = useSignedIn()
  const [problem, setProblem] = useState<unknown>()
  const form = useForm({ initialValues: { password: '', new_password: '' } })
  const text = t.security.password
  const change = form.onSubmit(async (values) => {
    setProblem(undefined)
    try {
      client.setQueryData(sessionKey, await post('/web/password', values))
      form.reset()
      notifySuccess(text.done)
      await client.invalidateQueries({ queryKey: ['web', '/web/sessions'] })
    } catch (error) {
      const fields = fieldErrors(error)
      form.setErrors(fields)
      if (Object.keys(fields).length === 0) setProblem(error)
    }
  })
  return (
    <form onSubmit={change}>
      <Stack maw={400}>
        {problem !== undefined && <Problem error={problem} />}
        <input
          type="email"
          name="email"
          autoComplete="username"
          value={person.email}
          readOnly
          hidden
        />
        <PasswordInput
          label={text.now}
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
        />
        <PasswordInput
          label={text.next}
          description={t.enter.passwordHint}
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={128}
          {...form.getInputProps('new_password')}
        />
        <Group>
          <Button type="submit" variant="default" loading={form.submitting}>
            {text.action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
