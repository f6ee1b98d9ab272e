import { Button, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { usePost } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { runAction, SubmissionError, useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { accountsPath, type ConnectedAccount } from './account.ts'
import { SaveRow } from '../shared/SaveRow.tsx'

export function AccountSender({ account }: { account: ConnectedAccount }) {
  const [values, setValues] = useState({
    display_name: account.display_name,
    signature_markdown: account.signature_markdown ?? '',
  })
  const submission = useSubmission()
  const change = usePost('/web/accounts/:id', [accountsPath])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const signature_markdown =
      values.signature_markdown.trim() === '' ? null : values.signature_markdown
    void submission.send(async () => {
      await change.mutateAsync({
        id: account.id,
        display_name: values.display_name,
        signature_markdown,
      })
      notifySuccess(t.app.saved)
    })
  }
  return (
    <SettingsSection
      title={t.accounts.sender}
      description={account.default ? t.accounts.isDefault : t.accounts.isNotDefault}
      actions={account.default ? undefined : <MakeDefault account={account} />}
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t.accounts.displayName}
            value={values.display_name}
            onChange={(event) => setValues({ ...values, display_name: event.currentTarget.value })}
            error={submission.errors.display_name}
            required
            maxLength={200}
            dir="auto"
          />
          <Textarea
            label={t.accounts.signature}
            description={t.accounts.signatureText}
            value={values.signature_markdown}
            onChange={(event) =>
              setValues({ ...values, signature_markdown: event.currentTarget.value })
            }
            error={submission.errors.signature_markdown}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={10_000}
            dir="auto"
          />
          <SubmissionError
            submission={submission}
            fields={['display_name', 'signature_markdown']}
          />
          <SaveRow isBusy={submission.isBusy} />
        </Stack>
      </form>
    </SettingsSection>
  )
}

function MakeDefault({ account: { id, address } }: { account: ConnectedAccount }) {
  const change = usePost('/web/accounts/:id', [accountsPath])
  return (
    <Button
      variant="default"
      size="xs"
      onClick={() =>
        void runAction(
          () => change.mutateAsync({ id, default: true }),
          t.accounts.isDefaultNow(address),
        )
      }
    >
      {t.accounts.makeDefault}
    </Button>
  )
}
