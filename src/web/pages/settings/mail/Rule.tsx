import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import { NotFound } from '../../../ui/NotFound.tsx'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Copyable } from '../../../ui/actions/Copyable.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Problem, QueryContent } from '../../../ui/states.tsx'
import { DeletionSection } from '../shared/DeletionSection.tsx'
import { useAllItems } from '../shared/lists.ts'
import { useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { RuleSwitch, type MailRule } from './Mail.tsx'
import { ruleDraft, toActions, toConditions } from './rule/rule.ts'
import { RuleForm } from './rule/RuleForm.tsx'

const texts = t.accounts.mail

/** One mail rule: its effect, the mail that it matches, and its results. */
export function Rule() {
  const { id } = useParams({ strict: false }) as { id: string }
  const rulesQuery = useAllItems('list_email_rules', {})
  return (
    <QueryContent query={rulesQuery}>
      {(rules) => {
        const rule = rules.find((emailRule) => emailRule.id === id)
        return rule ? <MailRuleForm key={rule.id} rule={rule} /> : <NotFound />
      }}
    </QueryContent>
  )
}

function MailRuleForm({ rule }: { rule: MailRule }) {
  const { id, name, conditions, actions, hits, problem } = rule
  const [draft, setDraft] = useState(() => ruleDraft(rule))
  const submission = useSubmission()
  const update = useCall('update_email_rule', ['list_email_rules'])
  const save = () =>
    void submission.send(async () => {
      await update.mutateAsync({
        rule_id: id,
        name: draft.name,
        conditions: toConditions(draft),
        actions: toActions(draft),
      })
      notifySuccess(texts.form.saved)
    })
  return (
    <Page
      title={name}
      description={`${texts.rule}, ${texts.hits(hits)}`}
      actions={<RuleSwitch rule={rule} />}
    >
      {problem && <Problem error={new Error(problem)} />}
      <RuleForm rule={draft} change={setDraft} submission={submission} save={save} />
      <SettingsSection title={texts.whole}>
        <Copyable text={JSON.stringify({ conditions, actions }, null, 2)} label={texts.json} />
      </SettingsSection>
      <Deletion rule={rule} />
    </Page>
  )
}

function Deletion({ rule: { id, name } }: { rule: MailRule }) {
  const deletion = useCall('delete_email_rule', ['list_email_rules'])
  return (
    <DeletionSection
      action={texts.deleteRule}
      text={texts.deleteRuleText}
      question={texts.deleteRuleTitle(name)}
      remove={() => deletion.mutateAsync({ rule_id: id })}
      doneMessage={texts.ruleDeleted}
      to="/settings/mail"
    />
  )
}
