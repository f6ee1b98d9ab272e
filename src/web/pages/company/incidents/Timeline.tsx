import {
  IconActivityHeartbeat,
  IconAlertTriangle,
  IconBellRinging,
  IconBroadcast,
  IconLink,
  IconMessage2,
  IconNote,
  IconUser,
  type Icon,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useList } from '../../../api/queries.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { AppLink, appPath } from '../../../ui/AppLink.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Face, isByAssistant } from '../../../ui/work/Who.tsx'
import { NoteForm } from '../../items/NoteForm.tsx'
import { LinkTarget } from '../../items/Section.tsx'
import planning from '../../planning/planning.module.css'
import contacts from '../contacts/contacts.module.css'
import { addNote, type FullIncident, type IncidentRow } from './data.ts'
import { isoOfLocal } from '../moments.ts'

type Entry = NonNullable<FullIncident['timeline']>[number]
const { timeline } = words

/** Number of entries loaded with an incident. */
const latestCount = 100

const icons: Readonly<Record<Entry['kind'], Icon>> = {
  note: IconNote,
  status: IconActivityHeartbeat,
  severity: IconAlertTriangle,
  role: IconUser,
  escalation: IconBellRinging,
  message: IconMessage2,
  update: IconBroadcast,
  link: IconLink,
}

/** Timeline, latest first, with an input line; entries by others appear by themselves. */
export function Timeline({ incident, full }: { incident: IncidentRow; full: FullIncident }) {
  const [isExpanded, setExpanded] = useState(false)
  const latest = full.timeline ?? []
  const hasMore = latest.length >= latestCount
  return (
    <section className={planning.section}>
      <h2>
        {timeline.title}
        {hasMore && (
          <button
            type="button"
            className={planning.button}
            data-plain
            onClick={() => setExpanded(!isExpanded)}
          >
            {isExpanded ? timeline.last : timeline.whole}
          </button>
        )}
      </h2>
      <IncidentNote incident={incident} />
      {isExpanded ? (
        <FullTimeline incidentId={incident.id} />
      ) : (
        <Entries entries={latest.toReversed()} />
      )}
      {hasMore && !isExpanded && <p className={planning.note}>{timeline.latest(latestCount)}</p>}
    </section>
  )
}

/** The complete timeline, page by page, from the beginning. */
function FullTimeline({ incidentId }: { incidentId: string }) {
  const entries = useList('list_incident_timeline', { incident_id: incidentId, limit: 100 })
  return (
    <>
      <Entries entries={entries.items} />
      <MoreButton query={entries} />
    </>
  )
}

/** Adds a note to the timeline, optionally with a past time. */
function IncidentNote({ incident }: { incident: IncidentRow }) {
  const [localTime, setLocalTime] = useState('')
  const send = (note: string) => {
    setLocalTime('')
    return addNote(incident, note, isoOfLocal(localTime))
  }
  return (
    <NoteForm
      draft={`incident note ${incident.id}`}
      command="incident.note"
      label={timeline.write}
      placeholder={timeline.placeholder}
      action={timeline.action}
      send={send}
    >
      <label>
        {timeline.at}
        <input
          type="datetime-local"
          value={localTime}
          onChange={(event) => setLocalTime(event.currentTarget.value)}
        />
      </label>
    </NoteForm>
  )
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  return (
    <div role="log" aria-label={timeline.title}>
      <ol className={contacts.timeline}>
        {entries.map((entry) => (
          <li key={entry.id} className={contacts.entry} data-entry={entry.kind}>
            <EntryLine entry={entry} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function EntryLine({ entry }: { entry: Entry }) {
  const Shape = icons[entry.kind]
  const isAssistant = isByAssistant(entry.via)
  const messagePath = entry.message?.url === undefined ? undefined : appPath(entry.message.url)
  return (
    <>
      <span className={contacts.mark}>
        <Shape size={22} stroke={1.6} aria-hidden />
      </span>
      <div className={contacts.said}>
        <LinkTarget id={entry.id}>
          <div className={contacts.about}>
            {entry.actor && (
              <>
                <Face
                  id={entry.actor.id}
                  name={entry.actor.title}
                  kind={isAssistant ? 'assistant' : 'person'}
                  size={18}
                />
                <strong dir="auto" data-assistant={isAssistant || undefined}>
                  {isAssistant ? timeline.byAssistant(entry.actor.title) : entry.actor.title}
                </strong>
              </>
            )}
            <span className={planning.note}>
              {timeline.kinds[entry.kind]} · <Ago time={entry.occurred_at} />
            </span>
            {messagePath !== undefined && <AppLink to={messagePath}>{timeline.quoted}</AppLink>}
          </div>
          <Markdown text={entry.body_markdown} parentLevel={2} />
        </LinkTarget>
      </div>
    </>
  )
}
