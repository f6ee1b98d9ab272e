import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { post } from '../../../api/client.ts'
import { fieldErrors } from '../../../api/problem.ts'
import { useIsAdmin } from '../../../session/session.ts'
import { keyTexts as t } from '../texts.ts'
import { Problem } from '../../../ui/states.tsx'
import { Areas } from './Areas.tsx'
import { endings, fieldFor, keyRequestOf, useKeyForm, type Ending } from './form.ts'
import { inDays, useRefreshKeys, type Key, type NewKey } from '../keys.ts'

interface Props {
  /** Key whose restrictions are the initial values. */
  template?: Key | undefined
  name?: string | undefined
  onCreated: (key: NewKey) => void
  /** Called while the request is in progress. */
  onBusyChange?: ((isBusy: boolean) => void) | undefined
}

/** The form for a new key. */
export function KeyForm({ template, name, onCreated, onBusyChange = () => {} }: Props) {
  const form = useKeyForm(template, name)
  const isAdmin = useIsAdmin()
  const refresh = useRefreshKeys()
  const [problem, setProblem] = useState<unknown>()
  const text = t.keys.form
  const createKey = form.onSubmit(async (values) => {
    setProblem(undefined)
    onBusyChange(true)
    try {
      onCreated(await post('/web/api-keys', keyRequestOf(values)))
      void refresh()
    } catch (error) {
      const errorsByField = fieldErrorsOf(error)
      form.setErrors(errorsByField)
      if (Object.keys(errorsByField).length === 0) setProblem(error)
    } finally {
      onBusyChange(false)
    }
  })
  return (
    <form onSubmit={createKey} noValidate>
      <Stack>
        {problem !== undefined && <Problem error={problem} />}
        <TextInput
          label={text.name}
          description={text.nameHint}
          required
          data-autofocus
          autoComplete="off"
          dir="auto"
          {...form.getInputProps('name')}
        />
        <Group align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
          <NativeSelect
            label={text.expiry}
            data={endings.map((value) => ({ value, label: text.endings[value] }))}
            value={form.values.ending}
            onChange={(event) => form.setFieldValue('ending', event.currentTarget.value as Ending)}
            error={form.values.ending === 'date' ? undefined : form.errors.date}
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
        </Group>
        <Stack gap="sm" role="group" aria-label={text.limits}>
          <Checkbox
            label={text.readOnly}
            description={text.readOnlyHint}
            {...form.getInputProps('readOnly', { type: 'checkbox' })}
          />
          <Checkbox
            label={text.hold}
            description={text.holdHint}
            {...form.getInputProps('hold', { type: 'checkbox' })}
          />
          {isAdmin && (
            <Checkbox
              label={text.admin}
              description={text.adminHint}
              {...form.getInputProps('admin', { type: 'checkbox' })}
            />
          )}
        </Stack>
        <Areas form={form} />
        <Group justify="flex-end">
          <Button type="submit" loading={form.submitting}>
            {text.action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function fieldErrorsOf(error: unknown): Record<string, string> {
  const entries = Object.entries(fieldErrors(error)).flatMap(([argument, message]) => {
    const field = fieldFor(argument)
    return field === undefined ? [] : [[field, message] as const]
  })
  return Object.fromEntries(entries)
}
