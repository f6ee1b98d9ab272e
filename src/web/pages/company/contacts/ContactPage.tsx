import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { storeRows, useAllRowsOf, useListedRows, useRow } from '../../../store/index.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { t } from '../../../texts/index.ts'
import { PlainText } from '../../../ui/Outside.tsx'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import { MarkdownInput, TitleInput } from '../../../ui/work/texts.tsx'
import { Links } from '../../items/Facts.tsx'
import { Loaded } from '../../items/Found.tsx'
import { ItemFrame } from '../../items/Frame.tsx'
import planning from '../../planning/planning.module.css'
import { contactNote, contactSetters } from './changes.ts'
import { ContactFields } from './ContactFields.tsx'
import { removeContact, type ContactRow, type NamedItem } from './data.ts'
import { Interactions } from './Interactions.tsx'
import { InteractionForm } from './LogLine.tsx'
import { MergeContacts } from './MergeContacts.tsx'
import { ContactLinks } from './ReachLinks.tsx'

type FullContact = Output<'get_contact'>

/** The page of a contact: its data, interactions, and next steps. */
export function ContactPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const contactQuery = useOperation('get_contact', {
    contact_id: id,
    include: ['deals', 'tasks', 'meetings'],
  })
  const contact = contactQuery.data
  useEffect(() => {
    if (contact) storeRows('contact', [contact])
  }, [contact])
  const row = useRow('contact', contact?.id ?? '') ?? contact
  useDocumentTitle(row ? `${row.name} – ${t.app.name}` : t.app.name)
  if (!contact || !row) return <Loaded query={contactQuery}>{() => null}</Loaded>
  return <Dossier contact={row} full={contact} />
}

function Dossier({ contact, full }: { contact: ContactRow; full: FullContact }) {
  const hasRoom = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  return (
    <ItemFrame
      type="contact"
      title={contact.name}
      item={full}
      id={contact.id}
      heading={
        <TitleInput
          title={contact.name}
          label={words.fields.name}
          save={(name) => contactSetters.name(contact, name)}
        />
      }
      actions={<ContactActions contact={contact} />}
      beside={hasRoom && <ContactFields contact={contact} />}
    >
      <ContactLinks contact={contact} />
      {!hasRoom && <ContactFields contact={contact} />}
      <MarkdownInput
        saved={{ text: contact.note ?? '', revision: contact.revision }}
        source={contactNote(contact)}
        label={words.fields.note}
        add={words.addNote}
        draft={`note ${contact.id}`}
        render={(text) => <PlainText text={text} />}
      />
      <RelatedItems full={full} />
      <section className={planning.section}>
        <h2>{words.log.title}</h2>
        <InteractionForm contacts={[{ id: contact.id, title: contact.name }]} name={contact.name} />
        <Interactions filter={{ contact_id: contact.id }} />
      </section>
    </ItemFrame>
  )
}

/** Deals, tasks and meetings of a contact. */
function RelatedItems({ full }: { full: FullContact }) {
  const { sections } = words
  const lists = [
    [sections.deals, full.deals.map((deal) => ({ ...deal, url: `/deals/${deal.id}` }))],
    [sections.tasks, (full.tasks ?? []).map((task) => ({ ...task, url: `/tasks/${task.id}` }))],
    [
      sections.meetings,
      (full.meetings ?? []).map((meeting) => ({ ...meeting, url: `/meetings/${meeting.id}` })),
    ],
  ] as const
  return lists.map(
    ([title, items]) =>
      items.length > 0 && (
        <section key={title} className={planning.section}>
          <h2>{title}</h2>
          <Links items={items} />
        </section>
      ),
  )
}

function ContactActions({ contact }: { contact: ContactRow }) {
  const navigate = useNavigate()
  const [anchor, setAnchor] = useState<Element>()
  const [idsToMerge, setIdsToMerge] = useState<readonly string[]>([])
  const remove = async () => {
    if (await removeContact(contact)) void navigate({ to: '/contacts' })
  }
  const openPicker = () => setAnchor(document.querySelector('[data-merge]') ?? undefined)
  useCommands({
    'contact.merge': openPicker,
    'contact.delete': () => void remove(),
    'list.back': () => void navigate({ to: '/contacts' }),
  })
  return (
    <>
      <button
        type="button"
        data-merge
        className={planning.button}
        aria-haspopup="dialog"
        onClick={openPicker}
      >
        {words.merge.with}
      </button>
      <button type="button" className={planning.button} data-plain onClick={() => void remove()}>
        {t.keys.commands['contact.delete']}
      </button>
      {anchor && (
        <OtherContactPicker
          anchor={anchor}
          close={() => setAnchor(undefined)}
          contact={contact}
          choose={({ id }) => setIdsToMerge([contact.id, id])}
        />
      )}
      <MergeContacts
        ids={idsToMerge}
        close={() => setIdsToMerge([])}
        onMerged={(id) => void navigate({ to: `/contacts/${id}` })}
      />
    </>
  )
}

interface OtherContactProps {
  anchor: Element
  close: () => void
  contact: ContactRow
  choose: (contact: NamedItem) => void
}

/** The contacts to merge with: all others. */
function OtherContactPicker({ anchor, close, contact, choose }: OtherContactProps) {
  useListedRows('contact', {})
  const others = useAllRowsOf(
    'contact',
    useCallback(({ id }) => id !== contact.id, [contact.id]),
  )
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={words.merge.with}
      choices={(query) =>
        filterChoices(
          others.map(({ id, name, emails }) => ({
            value: { id, title: name },
            label: name,
            hint: emails[0],
          })),
          query,
        ).slice(0, 50)
      }
      choose={choose}
    />
  )
}
