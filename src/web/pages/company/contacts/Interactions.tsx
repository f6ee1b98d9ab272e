import {
  IconCalendarEvent,
  IconClipboardText,
  IconFlag,
  IconMail,
  IconMessage2,
  IconNote,
  IconPhone,
  type Icon,
} from '@tabler/icons-react'
import type { Input, Output } from '../../../api/client.ts'
import { useList } from '../../../api/queries.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { AppLink, appPath } from '../../../ui/AppLink.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { PlainText } from '../../../ui/Outside.tsx'
import { Problem } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { relativeDay } from '../../../ui/work/days.ts'
import planning from '../../planning/planning.module.css'
import styles from './contacts.module.css'

type Interaction = Output<'list_interactions'>['items'][number]

const icons: Readonly<Record<Interaction['kind'], Icon>> = {
  email: IconMail,
  meeting: IconCalendarEvent,
  call: IconPhone,
  note: IconNote,
  form: IconClipboardText,
  other: IconMessage2,
}

/** All interactions with a contact, company or deal, latest first. */
export function Interactions({ filter }: { filter: Input<'list_interactions'> }) {
  const list = useList('list_interactions', filter)
  const { items, isPending, error, refetch } = list
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return (
    <>
      {!isPending && items.length === 0 && <p className={planning.quiet}>{words.log.none}</p>}
      <ol className={styles.timeline}>
        {items.map((interaction) => (
          <li key={interaction.id} className={styles.entry}>
            <InteractionEntry interaction={interaction} filter={filter} />
          </li>
        ))}
      </ol>
      <MoreButton query={list} />
    </>
  )
}

function InteractionEntry({
  interaction,
  filter,
}: {
  interaction: Interaction
  filter: Input<'list_interactions'>
}) {
  const Shape = icons[interaction.kind]
  const others = interaction.contacts
    .filter(({ id }) => id !== filter.contact_id)
    .map(({ title }) => title)
  return (
    <>
      <span className={styles.mark}>
        <Shape size={22} stroke={1.6} aria-hidden />
      </span>
      <div className={styles.said}>
        <div className={styles.about}>
          <AppLink to={appPath(interaction.url) ?? '/contacts'}>
            {words.log.kinds[interaction.kind]}
          </AppLink>
          <strong dir="auto">{interaction.person.title}</strong>
          {others.length > 0 && <span dir="auto">{words.log.with(others)}</span>}
          <span className={planning.note}>
            <Ago time={interaction.occurred_at} />
          </span>
          {interaction.source && <ItemLink item={interaction.source} />}
          {interaction.deal && interaction.deal.id !== filter.deal_id && (
            <ItemLink item={interaction.deal} />
          )}
        </div>
        {interaction.trust === 'external' ? (
          <PlainText text={interaction.summary_markdown} isOutside />
        ) : (
          <Markdown text={interaction.summary_markdown} parentLevel={2} />
        )}
        {interaction.next_step !== undefined && (
          <NextStep interaction={interaction} step={interaction.next_step} />
        )}
      </div>
    </>
  )
}

function NextStep({ interaction, step }: { interaction: Interaction; step: string }) {
  return (
    <p className={styles.next}>
      <IconFlag size={13} stroke={1.7} aria-hidden />
      <span dir="auto">{words.log.nextStep(step)}</span>
      {interaction.next_step_due !== undefined && (
        <time dateTime={interaction.next_step_due}>{relativeDay(interaction.next_step_due)}</time>
      )}
      {interaction.next_step_task && (
        <ItemLink item={interaction.next_step_task} withIcon={false} />
      )}
    </p>
  )
}
