import { Anchor } from '@mantine/core'
import { peopleTexts } from '../../texts/en/company/people.ts'
import { Facts } from '../../ui/Facts.tsx'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { formatMoment } from '../../ui/times.tsx'
import { Links } from '../items/Facts.tsx'
import type { Colleague } from './data.ts'
import { describeHours } from './hours.ts'

const { person: words, roles, statuses } = peopleTexts

export function PersonFacts({ person }: { person: Colleague }) {
  const { presence, status, timezone } = person
  const presenceText = [presence.emoji, presence.text]
    .filter((part) => part !== undefined)
    .join(' ')
  const until = presence.until === undefined ? '' : words.until(formatMoment(presence.until))
  return (
    <Facts
      facts={[
        [
          words.status,
          presenceText !== '' && <span key="status" dir="auto">{`${presenceText} ${until}`}</span>,
        ],
        [words.jobTitle, person.title !== null && person.title],
        [
          words.role,
          [roles[person.role], status === 'active' ? '' : statuses[status]]
            .filter((part) => part !== '')
            .join(', '),
        ],
        [
          words.email,
          <Anchor key="email" href={`mailto:${person.email}`} size="sm">
            {person.email}
          </Anchor>,
        ],
        [words.manager, person.manager && <ItemLink key="manager" item={person.manager} />],
        [words.teams, person.teams.length > 0 && <Links key="teams" items={person.teams} />],
        [words.zone, words.now(timeIn(timezone), timezone)],
        [words.hours, describeHours(person.working_hours) || words.noHours],
      ]}
    />
  )
}

/** The current time in a time zone. */
function timeIn(timeZone: string): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone }).format(new Date())
}
