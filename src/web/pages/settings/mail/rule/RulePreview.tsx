import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useList } from '../../../../api/queries.ts'
import { appPath } from '../../../../ui/AppLink.tsx'
import { Shown } from '../../../../ui/states.tsx'
import { Ago } from '../../../../ui/times.tsx'
import { More } from '../../shared/More.tsx'
import { Row, Rows } from '../../shared/Rows.tsx'
import { SettingsSection } from '../../shared/Section.tsx'
import { settingsTexts as t } from '../../texts.ts'
import { sentConditions, type RuleDraft } from './rule.ts'

const { preview } = t.accounts.mail
const settleMs = 400
const pageSize = 10

/** Existing mail that matches a rule's current conditions, without changing anything. */
export function RulePreview({ rule }: { rule: RuleDraft }) {
  const [asked] = useDebouncedValue(JSON.stringify(sentConditions(rule, true)), settleMs)
  return (
    <SettingsSection title={preview.title} about={preview.text}>
      {asked === '{}' ? (
        <Text size="sm" c="dimmed">
          {preview.nothingYet}
        </Text>
      ) : (
        <Matches conditions={asked} />
      )}
    </SettingsSection>
  )
}

function Matches({ conditions }: { conditions: string }) {
  const matches = useList('preview_email_rule', {
    conditions: JSON.parse(conditions) as ReturnType<typeof sentConditions>,
    limit: pageSize,
  })
  return (
    <Shown query={matches}>
      {() => (
        <>
          <Text size="sm" role="status">
            {preview.count(matches.items.length, matches.hasNextPage)}
          </Text>
          {matches.items.length > 0 && (
            <Rows label={preview.title}>
              {matches.items.map(({ id, url, subject, from, date }) => {
                const path = appPath(url)
                return (
                  <Row
                    key={id}
                    title={subject === '' ? preview.noSubject : subject}
                    {...(path !== undefined && { to: path })}
                  >
                    <span dir="auto">{from.name ?? from.email}</span>
                    {' · '}
                    <Ago at={date} />
                  </Row>
                )
              })}
            </Rows>
          )}
          <More query={matches} />
        </>
      )}
    </Shown>
  )
}
