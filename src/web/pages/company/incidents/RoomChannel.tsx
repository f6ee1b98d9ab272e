import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { Loading } from '../../../ui/states.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import planning from '../../planning/planning.module.css'
import type { IncidentRow } from './data.ts'

const Channel = onDemand(
  async () => (await import('../../chat/ChannelBeside.tsx')).EmbeddedChannel,
  () => <Loading />,
)

/** The channel of an incident, or a way to join it. */
export function RoomChannel({ incident }: { incident: IncidentRow }) {
  const noAccess = <p className={planning.quiet}>{words.room.closed}</p>
  if (incident.channel)
    return (
      <Channel
        key={incident.channel.id}
        channelId={incident.channel.id}
        command="incident.chat"
        noAccess={noAccess}
      />
    )
  return (
    <section className={planning.section}>
      <h2>{words.room.channel}</h2>
      {noAccess}
    </section>
  )
}
