import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { post } from '../../api/client.ts'
import { fieldErrors } from '../../api/problem.ts'
import { Problem } from '../../ui/states.tsx'
import { Areas } from '../keys/create/Areas.tsx'
import { endings, fieldFor, keyRequestOf, useKeyForm, type Ending } from '../keys/create/form.ts'
import { inDays } from '../keys/keys.ts'
import type { ConnectionRequest } from './request.ts'
import { connectTexts as t } from './texts.ts'

/**
 * The limits of the connection, and the decision. Navigates by script: the content security policy would block a
 * form.
 */
export function ConsentForm({
  token,
  connection,
}: {
  token: string
  connection: ConnectionRequest
}) {
  const form = useKeyForm(undefined, connection.client.name, {
    ending: '365',
    hold: true,
    readOnly: !connection.may_write,
  })
  const [problem, setProblem] = useState<unknown>()
  const [pendingDecision, setBusy] = useState<'allow' | 'deny'>()
  const text = t.keys.form
  const decide = async (
    decision: 'allow' | 'deny',
    send: () => Promise<{ redirect_to: string }>,
  ) => {
    setProblem(undefined)
    setBusy(decision)
    try {
      const { redirect_to } = await send()
      window.location.assign(redirect_to)
    } catch (error) {
      const fields = Object.entries(fieldErrors(error)).flatMap(([argument, message]) => {
        const field = fieldFor(argument)
        return field === undefined ? [] : [[field, message] as const]
      })
      form.setErrors(Object.fromEntries(fields))
      if (fields.length === 0) setProblem(error)
      setBusy(undefined)
    }
  }
  const allow = form.onSubmit(async (values) => {
    const { admin: _, ...limits } = keyRequestOf(values)
    await decide('allow', () => post('/web/connect/requests/:token', { token, ...limits }))
  })
  const deny = () => decide('deny', () => post('/web/connect/requests/:token/deny', { token }))
  return (
    <form onSubmit={allow} noValidate>
      <Stack>
        {problem !== undefined && <Problem error={problem} />}
        <Stack gap="sm" role="group" aria-label={text.limits}>
          {connection.may_write && (
            <Checkbox
              label={text.readOnly}
              description={text.readOnlyHint}
              {...form.getInputProps('readOnly', { type: 'checkbox' })}
            />
          )}
          <Checkbox
            label={text.hold}
            description={connection.may_send ? t.connect.sendHint : text.holdHint}
            {...form.getInputProps('hold', { type: 'checkbox' })}
          />
        </Stack>
        {connection.toolsets === undefined && <Areas form={form} />}
        <NameAndExpiryFields form={form} />
        <Group grow>
          <Button
            variant="default"
            loading={pendingDecision === 'deny'}
            disabled={pendingDecision === 'allow'}
            onClick={() => void deny()}
          >
            {t.connect.deny}
          </Button>
          <Button
            variant="default"
            type="submit"
            loading={pendingDecision === 'allow'}
            disabled={pendingDecision === 'deny'}
          >
            {t.connect.allow}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function NameAndExpiryFields({ form }: { form: ReturnType<typeof useKeyForm> }) {
  const text = t.keys.form
  return (
    <>
      <TextInput
        label={text.name}
        required
        autoComplete="off"
        dir="auto"
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label={text.expiry}
        data={endings.map((value) => ({ value, label: text.endings[value] }))}
        value={form.values.ending}
        onChange={(event) => form.setFieldValue('ending', event.currentTarget.value as Ending)}
      />
      {form.values.ending === 'date' && (
        <TextInput
          type="date"
          label={text.date}
          required
          min={inDays(0).slice(0, 10)}
          {...form.getInputProps('date')}
        />
      )}
    </>
  )
}
