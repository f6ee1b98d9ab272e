import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError, fieldErrors, errorMessage } from '../../../api/problem.ts'
import { notifySuccess, notifyProblem } from '../../../ui/confirm.tsx'
import { settingsTexts as t } from '../texts.ts'

/** True if the person cancelled the password prompt, which needs no error message. */
function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'password_required'
}

export interface Submission {
  isBusy: boolean
  error: unknown
  /** Errors by field. */
  errors: Record<string, string>
  send: (action: () => Promise<unknown>) => Promise<boolean>
}

/** Submits a form: tracks progress and refusals. */
export function useSubmission(): Submission {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const send = async (action: () => Promise<unknown>) => {
    setBusy(true)
    setError(undefined)
    try {
      await action()
      return true
    } catch (caught) {
      if (!isCancelled(caught)) setError(caught)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, errors: fieldErrors(error), send }
}

/** A refusal above the buttons of a form; for `fields` the message is at the field, and only its hint is here. */
export function SubmissionError({
  submission: { error, errors },
  fields = [],
}: {
  submission: Submission
  fields?: readonly string[]
}) {
  if (error === undefined) return null
  const isAtFields =
    Object.keys(errors).length > 0 && Object.keys(errors).every((path) => fields.includes(path))
  const hint = error instanceof ApiError ? error.hint : undefined
  if (isAtFields && hint === undefined) return null
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle />}
      role="alert"
      {...(isAtFields ? {} : { title: t.app.wrong })}
    >
      {!isAtFields && (
        <Text size="sm" dir="auto">
          {errorMessage(error)}
        </Text>
      )}
      {hint !== undefined && (
        <Text size="sm" dir="auto">
          {hint}
        </Text>
      )}
    </Alert>
  )
}

/** Runs the action of a button, and reports the result. */
export async function runAction(action: () => Promise<unknown>, message: string): Promise<boolean> {
  try {
    await action()
    notifySuccess(message)
    return true
  } catch (error) {
    if (!isCancelled(error)) notifyProblem(error)
    return false
  }
}
