import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useList } from '../../../../api/queries.ts'
import { appPath } from '../../../../ui/AppLink.tsx'
import { QueryContent } from '../../../../ui/states.tsx'
import { Ago } from '../../../../ui/times.tsx'
import { More } from '../../shared/More.tsx'
import { Row, Rows } from '../../shared/Rows.tsx'
import { SettingsSection } from '../../shared/Section.tsx'
import { settingsTexts as t } from '../../texts.ts'
import { toConditions, type RuleDraft } from './rule.ts'

const { preview } = t.accounts.mail
const debounceMs = 400
const pageSize = 10

/** Existing mail that matches a rule's current conditions, without changing anything. */
export function RulePreview({ rule }: { rule: RuleDraft }) {
  const [debouncedConditions] = useDebouncedValue(
    JSON.stringify(toConditions(rule, true)),
    debounceMs,
  )
  return (
    <SettingsSection title={preview.title} description={preview.text}>
      {debouncedConditions === '{}' ? (
        <Text size="sm" c="dimmed">
          {preview.nothingYet}
        </Text>
      ) : (
        <Matches conditions={debouncedConditions} />
      )}
    </SettingsSection>
  )
}

function Matches({ conditions }: { conditions: string }) {
  const matches = useList('preview_email_rule', {
    conditions: JSON.parse(conditions) as ReturnType<typeof toConditions>,
    limit: pageSize,
  })
  return (
    <QueryContent query={matches}>
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
                    <Ago time={date} />
                  </Row>
                )
              })}
            </Rows>
          )}
          <More query={matches} />
        </>
      )}
    </QueryContent>
  )
}
