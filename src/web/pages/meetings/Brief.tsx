import { useState, type ReactNode } from 'react'
import type { Output } from '../../api/client.ts'
import { useOperation } from '../../api/queries.ts'
import { useCommands } from '../../keys/commands.ts'
import { meetingTexts } from '../../texts/en/company/meetings.ts'
import { ItemLink, type ItemReference } from '../../ui/ItemLink.tsx'
import { OutsideBadge } from '../../ui/Outside.tsx'
import { QueryContent } from '../../ui/states.tsx'
import { formatMoment } from '../../ui/times.tsx'
import { AddressFact } from '../items/Facts.tsx'
import planning from '../planning/planning.module.css'
import { participantLine, type FullMeeting } from './data.ts'
import styles from './meetings.module.css'

type MeetingBrief = Output<'get_meeting_brief'>
const { brief: words } = meetingTexts

/** Brief of a meeting; open at first until the meeting begins. */
export function Brief({ meeting }: { meeting: FullMeeting }) {
  const [isOpen, setOpen] = useState(meeting.status === 'planned')
  useCommands({ 'meeting.brief': () => setOpen(!isOpen) })
  return (
    <section className={planning.section}>
      <h2>
        {words.title}
        <button
          type="button"
          className={planning.button}
          data-plain
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? words.hide : words.show}
        </button>
      </h2>
      {isOpen && <BriefContent meetingId={meeting.id} />}
    </section>
  )
}

function BriefContent({ meetingId }: { meetingId: string }) {
  const briefQuery = useOperation('get_meeting_brief', { meeting_id: meetingId, max_items: 5 })
  return (
    <QueryContent query={briefQuery}>
      {(brief) => {
        const parts = briefPartsOf(brief).filter(({ rows }) => rows.length > 0)
        if (parts.length === 0) return <p className={planning.quiet}>{words.nothing}</p>
        return (
          <div className={styles.brief}>
            {parts.map(({ name, rows }) => (
              <section key={name} className={styles.plain}>
                <h3>
                  {words.sections[name]} {name === 'threads' && <OutsideBadge />}
                </h3>
                <ul className={styles.plain}>
                  {rows.map(({ id, content }) => (
                    <li key={id}>{content}</li>
                  ))}
                </ul>
              </section>
            ))}
          </div>
        )
      }}
    </QueryContent>
  )
}

interface BriefRow {
  id: string
  content: ReactNode
}

interface BriefPart {
  name: keyof typeof words.sections
  rows: readonly BriefRow[]
}

const linkRow = (item: ItemReference): BriefRow => ({
  id: item.id,
  content: <ItemLink item={item} />,
})

function briefPartsOf(brief: MeetingBrief): BriefPart[] {
  return [
    {
      name: 'people',
      rows: brief.people.map((participant) => ({
        id: participantLine(participant.address),
        content: <BriefPerson person={participant} />,
      })),
    },
    { name: 'previous', rows: brief.previous.map(previousRow) },
    {
      name: 'actions',
      rows: brief.open_actions.map(({ id, text, url }) => linkRow({ id, title: text, url })),
    },
    { name: 'decisions', rows: brief.recent_decisions.map(linkRow) },
    {
      name: 'threads',
      rows: brief.threads.map(({ id, subject, url }) => linkRow({ id, title: subject, url })),
    },
    { name: 'tasks', rows: brief.tasks.map(linkRow) },
    {
      name: 'deals',
      rows: brief.deals.map(({ id, name, url }) => linkRow({ id, title: name, url })),
    },
    { name: 'pages', rows: brief.pages.map(linkRow) },
    { name: 'facts', rows: brief.facts.map(factRow) },
  ]
}

function previousRow(meeting: MeetingBrief['previous'][number]): BriefRow {
  return {
    id: meeting.id,
    content: (
      <>
        <ItemLink item={meeting} />{' '}
        <span className={planning.note}>{formatMoment(meeting.at)}</span>
      </>
    ),
  }
}

function factRow({ id, entity, predicate, value }: MeetingBrief['facts'][number]): BriefRow {
  return {
    id,
    content: (
      <>
        <ItemLink item={entity} />{' '}
        <span dir="auto">
          {predicate} {value}
        </span>
      </>
    ),
  }
}

function BriefPerson({ person }: { person: MeetingBrief['people'][number] }) {
  const about = [
    person.title,
    person.company,
    person.last_met === undefined ? undefined : words.lastMet(formatMoment(person.last_met)),
  ].filter((part) => part !== undefined)
  return (
    <>
      <AddressFact person={person.address} />{' '}
      <span className={planning.note} dir="auto">
        {about.join(' · ')}
      </span>
    </>
  )
}
