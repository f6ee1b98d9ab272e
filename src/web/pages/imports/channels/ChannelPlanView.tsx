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
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const planQuery = useChannelPlan(source, people)
  if (planQuery.isPending) return <p role="status">{importTexts.reading}</p>
  if (planQuery.error) return <Problem error={planQuery.error} />
  const plan = planQuery.data
  const wanted = wantedOf(plan, left)
  return (
    <>
      <p className={styles.said} role="status">
        {words.total(
          wanted.length,
          wanted.reduce((sum, { messages }) => sum + messages, 0),
        )}
      </p>
      <ChannelTable
        channels={plan.channels}
        left={left}
        toggle={(name) => setLeft(left.has(name) ? without(left, name) : new Set([...left, name]))}
      />
      <SlackPeople slackPeople={plan.people} people={people} set={setPeople} />
      <Remarks skipped={[]} warnings={plan.warnings} />
      <button
        type="button"
        className={planning.primary}
        disabled={wanted.length === 0 || planQuery.isPlaceholderData}
        onClick={() =>
          begin({
            ...(left.size > 0 && { channels: wanted.map(({ name }) => name) }),
            people,
          })
        }
      >
        {words.action(wanted.length)}
      </button>
    </>
  )
}

const wantedOf = ({ channels }: ChannelPlan, left: ReadonlySet<string>) =>
  channels.filter(({ name, skipped }) => skipped === undefined && !left.has(name))

const without = (names: ReadonlySet<string>, name: string) =>
  new Set([...names].filter((other) => other !== name))
