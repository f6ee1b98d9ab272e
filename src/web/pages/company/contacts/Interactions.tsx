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
import { dayWords } from '../../../ui/work/days.ts'
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
export function Interactions({ of }: { of: Input<'list_interactions'> }) {
  const list = useList('list_interactions', of)
  const { items, isPending, error, refetch } = list
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return (
    <>
      {!isPending && items.length === 0 && <p className={planning.quiet}>{words.log.none}</p>}
      <ol className={styles.timeline}>
        {items.map((interaction) => (
          <li key={interaction.id} className={styles.entry}>
            <InteractionEntry of={interaction} around={of} />
          </li>
        ))}
      </ol>
      <MoreButton of={list} />
    </>
  )
}

function InteractionEntry({ of, around }: { of: Interaction; around: Input<'list_interactions'> }) {
  const Shape = icons[of.kind]
  const others = of.contacts.filter(({ id }) => id !== around.contact_id).map(({ title }) => title)
  return (
    <>
      <span className={styles.mark}>
        <Shape size={22} stroke={1.6} aria-hidden />
      </span>
      <div className={styles.said}>
        <div className={styles.about}>
          <AppLink to={appPath(of.url) ?? '/contacts'}>{words.log.kinds[of.kind]}</AppLink>
          <strong dir="auto">{of.person.title}</strong>
          {others.length > 0 && <span dir="auto">{words.log.with(others)}</span>}
          <span className={planning.note}>
            <Ago at={of.occurred_at} />
          </span>
          {of.source && <ItemLink item={of.source} />}
          {of.deal && of.deal.id !== around.deal_id && <ItemLink item={of.deal} />}
        </div>
        {of.trust === 'external' ? (
          <PlainText text={of.summary_markdown} isOutside />
        ) : (
          <Markdown text={of.summary_markdown} under={2} />
        )}
        {of.next_step !== undefined && <NextStep of={of} step={of.next_step} />}
      </div>
    </>
  )
}

function NextStep({ of, step }: { of: Interaction; step: string }) {
  return (
    <p className={styles.next}>
      <IconFlag size={13} stroke={1.7} aria-hidden />
      <span dir="auto">{words.log.nextStep(step)}</span>
      {of.next_step_due !== undefined && (
        <time dateTime={of.next_step_due}>{dayWords(of.next_step_due)}</time>
      )}
      {of.next_step_task && <ItemLink item={of.next_step_task} withIcon={false} />}
    </p>
  )
}
