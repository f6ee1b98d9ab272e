import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useOperation } from '../../../../api/queries.ts'
import { SaveRow } from '../../shared/SaveRow.tsx'
import { SettingsSection } from '../../shared/Section.tsx'
import { SubmissionError, type Submission } from '../../shared/sending.tsx'
import { settingsTexts as t } from '../../texts.ts'
import { ActionRows } from './ActionRows.tsx'
import { ConditionRows } from './ConditionRows.tsx'
import type { RuleDraft } from './rule.ts'
import { RulePreview } from './RulePreview.tsx'

const texts = t.accounts.mail
const { form } = texts

interface RuleFormProps {
  rule: RuleDraft
  change: (rule: RuleDraft) => void
  submission: Submission
  save: () => void
  /** New rules: whether to apply it to existing mail, too. */
  existing?: { isChosen: boolean; choose: (isChosen: boolean) => void }
}

/** The form of a mail rule: its conditions, its actions, and a preview of matching mail. */
export function RuleForm({ rule, change, submission, save, existing }: RuleFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  const canSave = rule.all.length + rule.any.length > 0 && rule.actions.length > 0
  return (
    <>
      <SettingsSection title={texts.rule}>
        <form onSubmit={submit}>
          <Stack gap="lg">
            <TextInput
              label={texts.name}
              value={rule.name}
              onChange={(event) => change({ ...rule, name: event.currentTarget.value })}
              error={submission.errors.name}
              maxLength={200}
              required
              dir="auto"
            />
            <Account rule={rule} change={change} isNew={existing !== undefined} />
            <ConditionRows
              title={texts.all}
              path="conditions.all"
              rows={rule.all}
              change={(all) => change({ ...rule, all })}
              errors={submission.errors}
            />
            <ConditionRows
              title={texts.any}
              path="conditions.any"
              rows={rule.any}
              change={(any) => change({ ...rule, any })}
              errors={submission.errors}
            />
            <ActionRows
              rows={rule.actions}
              change={(actions) => change({ ...rule, actions })}
              errors={submission.errors}
            />
            {existing && (
              <Checkbox
                label={form.existing}
                description={form.existingText}
                checked={existing.isChosen}
                onChange={(event) => existing.choose(event.currentTarget.checked)}
              />
            )}
            <SubmissionError submission={submission} />
            <SaveRow isBusy={submission.isBusy} disabled={!canSave} />
          </Stack>
        </form>
      </SettingsSection>
      <RulePreview rule={rule} />
    </>
  )
}

interface AccountProps {
  rule: RuleDraft
  change: (rule: RuleDraft) => void
  isNew: boolean
}

/** Account whose mail the rule applies to; chosen once, by people with several accounts. */
function Account({ rule, change, isNew }: AccountProps) {
  const { data } = useOperation('list_email_accounts', {}, { staleTime: 300_000 })
  const accounts = data?.items ?? []
  if (!isNew) {
    const account = accounts.find(({ id }) => id === rule.accountId)
    return account ? <Text size="sm">{form.onlyOf(account.address)}</Text> : null
  }
  if (accounts.length < 2) return null
  return (
    <NativeSelect
      label={form.account}
      value={rule.accountId ?? ''}
      onChange={(event) => change({ ...rule, accountId: event.currentTarget.value || undefined })}
      data={[
        { value: '', label: form.allAccounts },
        ...accounts.map(({ id, address }) => ({ value: id, label: address })),
      ]}
    />
  )
}

/** Adds a row below the others. */
export function AddRow({ label, add }: { label: string; add: () => void }) {
  return (
    <div>
      <Button size="compact-sm" variant="default" onClick={add}>
        {label}
      </Button>
    </div>
  )
}
