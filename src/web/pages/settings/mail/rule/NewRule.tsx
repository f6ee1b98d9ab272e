import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../../../api/queries.ts'
import { notifySuccess } from '../../../../ui/confirm.tsx'
import { Page } from '../../../../ui/Page.tsx'
import { useSending } from '../../shared/sending.tsx'
import { settingsTexts as t } from '../../texts.ts'
import { newRule, sentActions, sentConditions } from './rule.ts'
import { RuleForm } from './RuleForm.tsx'

const { form } = t.accounts.mail

/** Creates a mail rule; `from` in the address sets an initial sender. */
export function NewRule() {
  const { from } = useSearch({ strict: false }) as { from?: unknown }
  const [rule, setRule] = useState(() => newRule(typeof from === 'string' ? from : ''))
  const [isForExisting, setForExisting] = useState(false)
  const sending = useSending()
  const navigate = useNavigate()
  const create = useCall('create_email_rule', ['list_email_rules'])
  const save = () =>
    void sending.send(async () => {
      await create.mutateAsync({
        name: rule.name,
        conditions: sentConditions(rule),
        actions: sentActions(rule),
        ...(rule.accountId !== undefined && { account_id: rule.accountId }),
        ...(isForExisting && { apply_to_existing: true }),
      })
      notifySuccess(isForExisting ? form.madeForExisting : form.made)
      await navigate({ to: '/settings/mail' })
    })
  return (
    <Page title={form.new} about={form.newText}>
      <RuleForm
        rule={rule}
        change={setRule}
        sending={sending}
        save={save}
        existing={{ isChosen: isForExisting, choose: setForExisting }}
      />
    </Page>
  )
}
