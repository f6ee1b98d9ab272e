import { Stack } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useParams } from '@tanstack/react-router'
import { useOperation } from '../../api/queries.ts'
import { useCommands } from '../../keys/commands.ts'
import { meetingTexts as words } from '../../texts/en/company/meetings.ts'
import { t } from '../../texts/index.ts'
import { Facts } from '../../ui/Facts.tsx'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { formatMoment } from '../../ui/times.tsx'
import { PeekContext } from '../../ui/actions/peek-context.ts'
import { AddressFact } from '../items/Facts.tsx'
import { Loaded } from '../items/Found.tsx'
import { ItemFrame } from '../items/Frame.tsx'
import { PeekLayout } from '../items/peek/PeekPlace.tsx'
import { usePeek } from '../items/peek/usePeek.ts'
import { Agenda } from './Agenda.tsx'
import { Brief } from './Brief.tsx'
import { participantLine, type FullMeeting } from './data.ts'
import { MeetingActions } from './MeetingActions.tsx'
import styles from './meetings.module.css'
import { Notes } from './Notes.tsx'
import { MeetingResults } from './results/MeetingResults.tsx'

/** A meeting: preparation, transcript, and results. */
export function MeetingPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const meetingQuery = useOperation('get_meeting', { meeting_id: id })
  useDocumentTitle(meetingQuery.data ? `${meetingQuery.data.title} – ${t.app.name}` : t.app.name)
  return (
    <Loaded query={meetingQuery}>
      {(meeting) => <MeetingFrame key={meeting.id} meeting={meeting} />}
    </Loaded>
  )
}

function MeetingFrame({ meeting }: { meeting: FullMeeting }) {
  const peek = usePeek()
  useCommands({ 'list.back': peek.id === undefined ? undefined : peek.close })
  return (
    <PeekLayout peek={peek}>
      <ItemFrame
        type="meeting"
        title={meeting.title}
        item={meeting}
        id={meeting.id}
        isStacked={peek.id !== undefined}
        status={
          <span className={styles.state} data-state={meeting.status}>
            {words.states[meeting.status]}
          </span>
        }
      >
        {meeting.deleted_at === undefined && <MeetingActions meeting={meeting} />}
        <MeetingFacts meeting={meeting} />
        <PeekContext value={peek.open}>
          <Brief meeting={meeting} />
        </PeekContext>
        <Agenda meeting={meeting} />
        <Notes meeting={meeting} />
        <MeetingResults meeting={meeting} />
      </ItemFrame>
    </PeekLayout>
  )
}

function MeetingFacts({ meeting }: { meeting: FullMeeting }) {
  const { field } = t.items
  return (
    <Facts
      facts={[
        [
          words.when,
          meeting.starts_at &&
            [meeting.starts_at, meeting.ends_at]
              .filter((at) => at !== undefined)
              .map((at) => formatMoment(at))
              .join(' – '),
        ],
        [
          words.participants,
          meeting.participants.length > 0 && (
            <Stack gap={2}>
              {meeting.participants.map((participant) => (
                <AddressFact key={participantLine(participant)} person={participant} />
              ))}
            </Stack>
          ),
        ],
        [field('organizer'), <ItemLink item={meeting.organizer} />],
        [field('project'), meeting.project && <ItemLink item={meeting.project} />],
        [field('event'), meeting.event && <ItemLink item={meeting.event} />],
        [field('pulse'), meeting.pulse && <ItemLink item={meeting.pulse} />],
        [words.form.readers, words.form.visibilities[meeting.visibility]],
      ]}
    />
  )
}
