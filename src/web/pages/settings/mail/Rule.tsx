import { Button, List, Stack, Text } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useCall } from '../../../api/queries.ts'
import { NotFound } from '../../../ui/NotFound.tsx'
import { settingsTexts as t } from '../texts.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Copyable } from '../../../ui/actions/Copyable.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Problem, Shown } from '../../../ui/states.tsx'
import { useWhole } from '../shared/lists.ts'
import { submitWork } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { RuleSwitch, type MailRule } from './Mail.tsx'

const words = t.accounts.mail
type Condition = NonNullable<MailRule['conditions']['all']>[number]

/** One mail rule, in words. */
export function Rule() {
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useWhole('list_email_rules', {})
  return (
    <Shown of={found}>
      {(rules) => {
        const rule = rules.find((emailRule) => emailRule.id === id)
        return rule ? <Content rule={rule} /> : <NotFound />
      }}
    </Shown>
  )
}

function Content({ rule }: { rule: MailRule }) {
  const { name, conditions, actions, hits, problem } = rule
  return (
    <Page
      title={name}
      about={`${words.rule}, ${words.hits(hits)}`}
      actions={<RuleSwitch rule={rule} />}
    >
      {problem && <Problem error={new Error(problem)} />}
      <SettingsSection title={words.rule}>
        <Stack gap="sm">
          <Conditions title={words.all} of={conditions.all} />
          <Conditions title={words.any} of={conditions.any} />
          <Text size="sm" fw={600}>
            {words.then}
          </Text>
          <List size="sm">
            {actions.map((action, i) => (
              <List.Item key={i}>
                <span dir="auto">
                  {[
                    words.actions[action.type] ?? action.type,
                    ...Object.values(action.params ?? {}).map(plain),
                  ].join(': ')}
                </span>
              </List.Item>
            ))}
          </List>
        </Stack>
      </SettingsSection>
      <SettingsSection title={words.whole}>
        <Copyable text={JSON.stringify({ conditions, actions }, null, 2)} label={words.json} />
      </SettingsSection>
      <Deletion rule={rule} />
    </Page>
  )
}

const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function Conditions({ title, of }: { title: string; of: Condition[] | undefined }) {
  if (!of || of.length === 0) return null
  return (
    <>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {of.map(({ field, op, value }, i) => (
          <List.Item key={i}>
            <span dir="auto">
              {[words.fields[field] ?? field, words.ops[op] ?? op, plain(value)].join(' ')}
            </span>
          </List.Item>
        ))}
      </List>
    </>
  )
}

function Deletion({ rule }: { rule: MailRule }) {
  const navigate = useNavigate()
  const deletion = useCall('delete_email_rule', ['list_email_rules'])
  const remove = async () => {
    if (
      !(await confirm({
        title: words.deleteRuleTitle(rule.name),
        text: words.deleteRuleText,
        action: words.deleteRule,
      }))
    )
      return
    if (await submitWork(() => deletion.mutateAsync({ rule_id: rule.id }), words.ruleDeleted))
      await navigate({ to: '/settings/mail' })
  }
  return (
    <SettingsSection
      title={words.deleteRule}
      about={words.deleteRuleText}
      actions={
        <Button color="red" variant="outline" onClick={() => void remove()}>
          {words.deleteRule}
        </Button>
      }
    >
      {null}
    </SettingsSection>
  )
}
