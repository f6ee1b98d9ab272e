import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { call } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { storeRows, useRow } from '../../../store/index.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { t } from '../../../texts/index.ts'
import { operationTextSource } from '../../../ui/conflicts/text-merge.ts'
import { MarkdownInput, TitleInput } from '../../../ui/work/texts.tsx'
import { Loaded } from '../../items/Found.tsx'
import { ItemFrame } from '../../items/Frame.tsx'
import planning from '../../planning/planning.module.css'
import { updateIncident, type FullIncident, type IncidentRow } from './data.ts'
import { FollowUp } from './FollowUp.tsx'
import { IncidentFields } from './IncidentFields.tsx'
import styles from './incidents.module.css'
import { SeverityWord, StatusWord } from './marks.tsx'
import { Postmortem } from './Postmortem.tsx'
import { RoomActions } from './RoomActions.tsx'
import { RoomChannel } from './RoomChannel.tsx'
import { StatusUpdates } from './status/StatusUpdates.tsx'
import { Timeline } from './Timeline.tsx'

/** The page of an incident: its status, timeline, roles, and customer updates. */
export function IncidentPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const incidentQuery = useOperation('get_incident', {
    incident_id: id,
    include: ['timeline', 'updates', 'postmortem', 'tasks'],
  })
  const incident = incidentQuery.data
  useEffect(() => {
    if (incident) storeRows('incident', [incident])
  }, [incident])
  const row = useRow('incident', incident?.id ?? '') ?? incident
  useDocumentTitle(row ? `${row.key} ${row.title} – ${t.app.name}` : t.app.name)
  if (!incident || !row) return <Loaded query={incidentQuery}>{() => null}</Loaded>
  return <IncidentLayout incident={row} full={incident} />
}

interface RoomProps {
  incident: IncidentRow
  full: FullIncident
}

/** The incident, with its channel beside it if there is space. */
function IncidentLayout({ incident, full }: RoomProps) {
  const navigate = useNavigate()
  const isWide = useIsWide('80em')
  const hasChannelBeside = isWide && incident.channel !== undefined
  useCommands({ 'list.back': () => void navigate({ to: '/incidents' }) })
  return (
    <div className={styles.room}>
      <div className={styles.roomMain}>
        <IncidentMain incident={incident} full={full} hasChannelBeside={hasChannelBeside} />
      </div>
      {hasChannelBeside && (
        <div className={styles.channelBeside}>
          <RoomChannel incident={incident} />
        </div>
      )}
    </div>
  )
}

function IncidentMain({
  incident,
  full,
  hasChannelBeside,
}: RoomProps & { hasChannelBeside: boolean }) {
  const hasFieldsBeside = useIsWide(hasChannelBeside ? '105em' : '62em')
  const isStacked = hasChannelBeside && !hasFieldsBeside
  const fields = (
    <div className={styles.fields} data-wide={isStacked || undefined}>
      <IncidentFields incident={incident} />
    </div>
  )
  return (
    <ItemFrame
      type="incident"
      title={incident.title}
      item={full}
      id={incident.id}
      status={
        <>
          <SeverityWord severity={incident.severity} />
          <StatusWord status={incident.status} />
        </>
      }
      heading={<Heading incident={incident} />}
      beside={hasFieldsBeside && fields}
      isStacked={isStacked}
    >
      <RoomActions incident={incident} full={full} />
      {!hasFieldsBeside && fields}
      <Summary incident={incident} full={full} />
      <Timeline incident={incident} full={full} />
      {!hasChannelBeside && (
        <div className={incident.channel && styles.channelBelow}>
          <RoomChannel incident={incident} />
        </div>
      )}
      <StatusUpdates full={full} />
      <FollowUp incident={incident} full={full} />
      <Postmortem incident={incident} full={full} />
    </ItemFrame>
  )
}

function Heading({ incident }: { incident: IncidentRow }) {
  return (
    <TitleInput
      title={incident.title}
      label={words.fields.title}
      save={(title) =>
        updateIncident(incident, { title }, { set: { title }, description: t.tasks.set.title })
      }
    />
  )
}

const useIsWide = (minWidth: string) =>
  useMediaQuery(`(min-width: ${minWidth})`, true, { getInitialValueInEffect: false })

function Summary({ incident, full }: RoomProps) {
  const source = operationTextSource({
    read: async () => {
      const current = await call('get_incident', { incident_id: incident.id, include: [] })
      return { text: current.summary_markdown ?? '', revision: current.revision }
    },
    operation: 'update_incident',
    input: (summary, expected_revision) => ({
      incident_id: incident.id,
      summary_markdown: summary,
      expected_revision,
    }),
    row: (summary) => ({
      type: 'incident',
      id: incident.id,
      set: { summary_markdown: summary ?? undefined },
    }),
    description: t.tasks.changed(incident.key, t.tasks.set.description),
  })
  return (
    <section className={planning.section}>
      <h2>{words.summary}</h2>
      <MarkdownInput
        saved={{ text: incident.summary_markdown ?? '', revision: full.revision }}
        source={source}
        label={words.summary}
        add={words.addSummary}
        draft={`incident summary ${incident.id}`}
      />
    </section>
  )
}
