import { ActionIcon, Switch } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconFilter, IconTemplate } from '@tabler/icons-react'
import type { Output } from '../../../api/client.ts'
import { useCall, useList } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { Empty, Shown } from '../../../ui/states.tsx'
import { ago } from '../../../ui/times.tsx'
import { AddLink } from '../shared/AddLink.tsx'
import { More } from '../shared/More.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { submitWork } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { StateBadge, Tag } from '../shared/State.tsx'
import { UndoTimeChoice } from './UndoTimeChoice.tsx'

export type MailRule = Output<'list_email_rules'>['items'][number]
export type MailTemplate = Output<'list_email_templates'>['items'][number]
const words = t.accounts.mail

/** The reader's mail rules, the available templates, and how long sending can be undone. */
export function Mail() {
  return (
    <Page title={words.title}>
      <RuleList />
      <TemplateList />
      <UndoTimeChoice />
    </Page>
  )
}

function RuleList() {
  const rules = useList('list_email_rules', { limit: 100 })
  const add = <AddLink to="/settings/mail/rules/new" label={words.form.new} />
  return (
    <SettingsSection title={words.rules} about={words.rulesText} actions={add}>
      <Shown query={rules}>
        {() =>
          rules.items.length === 0 ? (
            <Empty icon={IconFilter} title={words.noRules} text={words.noRulesText} />
          ) : (
            <>
              <Rows label={words.rules}>
                {rules.items.map((item, n) => (
                  <Row
                    key={item.id}
                    title={item.name}
                    to={`/settings/mail/rules/${item.id}`}
                    beside={
                      item.problem ? (
                        <StateBadge tone="bad">{words.failing}</StateBadge>
                      ) : (
                        !item.enabled && <StateBadge tone="off">{words.off}</StateBadge>
                      )
                    }
                    actions={
                      <>
                        <Moves rule={item} place={n + 1} last={rules.items.length} />
                        <RuleSwitch rule={item} />
                      </>
                    }
                  >
                    {item.problem && <div dir="auto">{item.problem}</div>}
                    {[
                      words.hits(item.hits),
                      item.last_hit_at && `${words.lastHit} ${ago(item.last_hit_at)}`,
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
      </Shown>
    </SettingsSection>
  )
}

interface MovesProps {
  rule: MailRule
  /** Position, from 1. */
  place: number
  last: number
}

/** Rules are applied in order. */
function Moves({ rule: { id, name }, place, last }: MovesProps) {
  const update = useCall('update_email_rule', ['list_email_rules'])
  if (last < 2) return null
  const move = (position: number) =>
    void submitWork(() => update.mutateAsync({ rule_id: id, position }), words.form.moved)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={words.form.moveUp(name)}
        title={words.form.moveUp(name)}
        disabled={place === 1 || update.isPending}
        onClick={() => move(place - 1)}
      >
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={words.form.moveDown(name)}
        title={words.form.moveDown(name)}
        disabled={place === last || update.isPending}
        onClick={() => move(place + 1)}
      >
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
    </>
  )
}

export function RuleSwitch({ rule: { id, name, enabled } }: { rule: MailRule }) {
  const update = useCall('update_email_rule', ['list_email_rules'])
  const set = (isOn: boolean) =>
    void submitWork(
      () => update.mutateAsync({ rule_id: id, enabled: isOn }),
      isOn ? words.turnedOn : words.turnedOff,
    )
  return (
    <Switch
      checked={enabled}
      disabled={update.isPending}
      onChange={(event) => set(event.currentTarget.checked)}
      aria-label={words.turnOn(name)}
    />
  )
}

function TemplateList() {
  const templates = useList('list_email_templates', {})
  const add = <AddLink to="/settings/mail/templates/new" label={words.newTemplate} />
  return (
    <SettingsSection title={words.templates} about={words.templatesText} actions={add}>
      <Shown query={templates}>
        {() =>
          templates.items.length === 0 ? (
            <Empty icon={IconTemplate} title={words.noTemplates} text={words.noTemplatesText} />
          ) : (
            <>
              <Rows label={words.templates}>
                {templates.items.map((item) => (
                  <Row
                    key={item.id}
                    title={item.name}
                    to={`/settings/mail/templates/${item.id}`}
                    beside={
                      <>
                        {item.shared && <Tag>{words.sharedTag}</Tag>}
                        {item.retired && <StateBadge tone="off">{words.retired}</StateBadge>}
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
      </Shown>
    </SettingsSection>
  )
}
