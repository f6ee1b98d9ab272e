import { ActionIcon, Switch } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconFilter, IconTemplate } from '@tabler/icons-react'
import type { Output } from '../../../api/client.ts'
import { useCall, useList } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { ago } from '../../../ui/times.tsx'
import { AddLink } from '../shared/AddLink.tsx'
import { More } from '../shared/More.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { runAction } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { StateBadge, Tag } from '../shared/State.tsx'
import { UndoTimeChoice } from './UndoTimeChoice.tsx'

export type MailRule = Output<'list_email_rules'>['items'][number]
export type MailTemplate = Output<'list_email_templates'>['items'][number]
const texts = t.accounts.mail

/** The reader's mail rules, the available templates, and how long sending can be undone. */
export function Mail() {
  return (
    <Page title={texts.title}>
      <RuleList />
      <TemplateList />
      <UndoTimeChoice />
    </Page>
  )
}

function RuleList() {
  const rules = useList('list_email_rules', { limit: 100 })
  const add = <AddLink to="/settings/mail/rules/new" label={texts.form.new} />
  return (
    <SettingsSection title={texts.rules} description={texts.rulesText} actions={add}>
      <QueryContent query={rules}>
        {() =>
          rules.items.length === 0 ? (
            <EmptyState icon={IconFilter} title={texts.noRules} text={texts.noRulesText} />
          ) : (
            <>
              <Rows label={texts.rules}>
                {rules.items.map((item, index) => (
                  <Row
                    key={item.id}
                    title={item.name}
                    to={`/settings/mail/rules/${item.id}`}
                    badge={
                      item.problem ? (
                        <StateBadge tone="bad">{texts.failing}</StateBadge>
                      ) : (
                        !item.enabled && <StateBadge tone="off">{texts.off}</StateBadge>
                      )
                    }
                    actions={
                      <>
                        <MoveButtons
                          rule={item}
                          currentPosition={index + 1}
                          ruleCount={rules.items.length}
                        />
                        <RuleSwitch rule={item} />
                      </>
                    }
                  >
                    {item.problem && <div dir="auto">{item.problem}</div>}
                    {[
                      texts.hits(item.hits),
                      item.last_hit_at && `${texts.lastHit} ${ago(item.last_hit_at)}`,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </Row>
                ))}
              </Rows>
              <More query={rules} />
            </>
          )
        }
      </QueryContent>
    </SettingsSection>
  )
}

interface MoveButtonsProps {
  rule: MailRule
  /** Position, from 1. */
  currentPosition: number
  ruleCount: number
}

/** Rules are applied in order. */
function MoveButtons({ rule: { id, name }, currentPosition, ruleCount }: MoveButtonsProps) {
  const update = useCall('update_email_rule', ['list_email_rules'])
  if (ruleCount < 2) return null
  const move = (position: number) =>
    void runAction(() => update.mutateAsync({ rule_id: id, position }), texts.form.moved)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={texts.form.moveUp(name)}
        title={texts.form.moveUp(name)}
        disabled={currentPosition === 1 || update.isPending}
        onClick={() => move(currentPosition - 1)}
      >
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={texts.form.moveDown(name)}
        title={texts.form.moveDown(name)}
        disabled={currentPosition === ruleCount || update.isPending}
        onClick={() => move(currentPosition + 1)}
      >
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
    </>
  )
}

export function RuleSwitch({ rule: { id, name, enabled } }: { rule: MailRule }) {
  const update = useCall('update_email_rule', ['list_email_rules'])
  const setEnabled = (isEnabled: boolean) =>
    void runAction(
      () => update.mutateAsync({ rule_id: id, enabled: isEnabled }),
      isEnabled ? texts.turnedOn : texts.turnedOff,
    )
  return (
    <Switch
      checked={enabled}
      disabled={update.isPending}
      onChange={(event) => setEnabled(event.currentTarget.checked)}
      aria-label={texts.turnOn(name)}
    />
  )
}

function TemplateList() {
  const templates = useList('list_email_templates', {})
  const add = <AddLink to="/settings/mail/templates/new" label={texts.newTemplate} />
  return (
    <SettingsSection title={texts.templates} description={texts.templatesText} actions={add}>
      <QueryContent query={templates}>
        {() =>
          templates.items.length === 0 ? (
            <EmptyState
              icon={IconTemplate}
              title={texts.noTemplates}
              text={texts.noTemplatesText}
            />
          ) : (
            <>
              <Rows label={texts.templates}>
                {templates.items.map((item) => (
                  <Row
                    key={item.id}
                    title={item.name}
                    to={`/settings/mail/templates/${item.id}`}
                    badge={
                      <>
                        {item.shared && <Tag>{texts.sharedTag}</Tag>}
                        {item.retired && <StateBadge tone="off">{texts.retired}</StateBadge>}
                      </>
                    }
                  >
                    <span dir="auto">{item.subject}</span>
                  </Row>
                ))}
              </Rows>
              <More query={templates} />
            </>
          )
        }
      </QueryContent>
    </SettingsSection>
  )
}
