import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../../../api/queries.ts'
import { notifySuccess } from '../../../../ui/confirm.tsx'
import { Page } from '../../../../ui/Page.tsx'
import { useSubmission } from '../../shared/sending.tsx'
import { settingsTexts as t } from '../../texts.ts'
import { newRule, toActions, toConditions } from './rule.ts'
import { RuleForm } from './RuleForm.tsx'

const { form } = t.accounts.mail

/** Creates a mail rule; `from` in the address sets an initial sender. */
export function NewRule() {
  const { from } = useSearch({ strict: false }) as { from?: unknown }
  const [rule, setRule] = useState(() => newRule(typeof from === 'string' ? from : ''))
  const [isForExisting, setForExisting] = useState(false)
  const submission = useSubmission()
  const navigate = useNavigate()
  const create = useCall('create_email_rule', ['list_email_rules'])
  const save = () =>
    void submission.send(async () => {
      await create.mutateAsync({
        name: rule.name,
        conditions: toConditions(rule),
        actions: toActions(rule),
        ...(rule.accountId !== undefined && { account_id: rule.accountId }),
        ...(isForExisting && { apply_to_existing: true }),
      })
      notifySuccess(isForExisting ? form.madeForExisting : form.made)
      await navigate({ to: '/settings/mail' })
    })
  return (
    <Page title={form.new} description={form.newText}>
      <RuleForm
        rule={rule}
        change={setRule}
        submission={submission}
        save={save}
        existing={{ isChosen: isForExisting, choose: setForExisting }}
      />
    </Page>
  )
}
