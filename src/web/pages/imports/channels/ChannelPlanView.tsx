import { useState } from 'react'
import type { Input } from '../../../api/client.ts'
import { channelImport as words } from '../../../texts/en/imports/channels.ts'
import { importTexts } from '../../../texts/en/imports/imports.ts'
import { Problem } from '../../../ui/states.tsx'
import planning from '../../planning/planning.module.css'
import styles from '../imports.module.css'
import { Remarks } from '../Remarks.tsx'
import type { ImportSource } from '../source.ts'
import { ChannelTable } from './ChannelTable.tsx'
import { useChannelPlan, type ChannelPlan, type PeopleMap } from './data.ts'
import { SlackPeople } from './SlackPeople.tsx'

interface ChannelPlanViewProps {
  source: ImportSource
  begin: (options: Pick<Input<'import_channels'>, 'channels' | 'people'>) => void
}

/** Contents of an export, the planned import, and the button that starts it. */
export function ChannelPlanView({ source, begin }: ChannelPlanViewProps) {
  const [people, setPeople] = useState<PeopleMap>({})
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const planQuery = useChannelPlan(source, people)
  if (planQuery.isPending) return <p role="status">{importTexts.reading}</p>
  if (planQuery.error) return <Problem error={planQuery.error} />
  const plan = planQuery.data
  const includedChannels = includedChannelsOf(plan, excluded)
  return (
    <>
      <p className={styles.said} role="status">
        {words.total(
          includedChannels.length,
          includedChannels.reduce((sum, { messages }) => sum + messages, 0),
        )}
      </p>
      <ChannelTable
        channels={plan.channels}
        excluded={excluded}
        toggle={(name) =>
          setExcluded(excluded.has(name) ? without(excluded, name) : new Set([...excluded, name]))
        }
      />
      <SlackPeople slackPeople={plan.people} people={people} set={setPeople} />
      <Remarks skipped={[]} warnings={plan.warnings} />
      <button
        type="button"
        className={planning.primary}
        disabled={includedChannels.length === 0 || planQuery.isPlaceholderData}
        onClick={() =>
          begin({
            ...(excluded.size > 0 && { channels: includedChannels.map(({ name }) => name) }),
            people,
          })
        }
      >
        {words.action(includedChannels.length)}
      </button>
    </>
  )
}

const includedChannelsOf = ({ channels }: ChannelPlan, excluded: ReadonlySet<string>) =>
  channels.filter(({ name, skipped }) => skipped === undefined && !excluded.has(name))

const without = (names: ReadonlySet<string>, name: string) =>
  new Set([...names].filter((other) => other !== name))
