import type { z } from 'zod'
import { document } from '../../operations/documents.ts'
import { blocks, factList, oneLine } from '../../kernel/text/markdown.ts'
import { person } from '../directory/access.ts'
import type { User } from './shapes.ts'

export const personDocument = document({
  name: 'people',
  title: 'Person',
  about:
    'One colleague by email address, id or "me": role, teams, manager, time zone, working hours and current availability',
  resource: person,
  read: { operation: 'get_person', argument: 'person_id' },
  searchedColumns: ['users.display_name', 'users.email'],
  key: (row) => row.email,
  text: textOfPerson,
})

/** A person as Markdown. */
function textOfPerson(user: z.infer<typeof User>): string {
  const { presence } = user
  return blocks(
    `# ${oneLine(user.display_name)}`,
    factList({
      Email: user.email,
      Title: user.title ?? undefined,
      Role: user.role,
      Account: user.status,
      Manager: user.manager?.title,
      Teams: user.teams.map((team) => team.title).join(', '),
      Availability: `${presence.availability.replaceAll('_', ' ')}${presence.until ? ` until ${presence.until}` : ''}`,
      'Status text': [presence.emoji, presence.text].filter((item) => item).join(' '),
      'Time zone': user.timezone,
      'Working hours (local)': hoursText(user.working_hours) || 'none',
      Id: user.id,
      Address: user.url,
    }),
  )
}

function hoursText(hours: z.infer<typeof User>['working_hours']): string {
  return Object.entries(hours)
    .flatMap(([day, spans]) =>
      spans?.length ? [`${day} ${spans.map(({ from, to }) => `${from}–${to}`).join(' and ')}`] : [],
    )
    .join(', ')
}
