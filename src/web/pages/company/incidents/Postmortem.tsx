import { useState, type FormEvent } from 'react'
import { invalidateOperations, useList } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { useMe } from '../../../session/session.ts'
import { write } from '../../../store/index.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { relativeDay } from '../../../ui/work/days.ts'
import { LinkTarget } from '../../items/Section.tsx'
import planning from '../../planning/planning.module.css'
import { usePeople } from '../../tasks/data/lists.ts'
import type { FullIncident, IncidentRow } from './data.ts'
import { ReasonForm } from './ReasonForm.tsx'
import styles from './incidents.module.css'

const { postmortem: texts } = words

interface PostmortemProps {
  incident: IncidentRow
  full: FullIncident
}

/** Postmortem page: drafted from the incident, then published. */
export function Postmortem({ incident, full }: PostmortemProps) {
  const { postmortem } = full
  const [isOpen, setOpen] = useState(false)
  const isPublished = postmortem?.status === 'published'
  useCommands({ 'incident.postmortem': isPublished ? undefined : () => setOpen(true) })
  return (
    <section className={planning.section}>
      <h2>
        {texts.title}
        {!isPublished && (
          <button
            type="button"
            className={planning.button}
            data-plain
            onClick={() => setOpen(true)}
          >
            {postmortem ? texts.publish : texts.draft}
          </button>
        )}
      </h2>
      {postmortem ? (
        <LinkTarget id={postmortem.id}>
          <PostmortemLine postmortem={postmortem} />
        </LinkTarget>
      ) : (
        <p className={planning.quiet}>{texts.none}</p>
      )}
      <Dialog
        isOpen={isOpen}
        close={() => setOpen(false)}
        title={postmortem ? texts.publishTitle(incident.key) : texts.draft}
      >
        {postmortem ? (
          <PublishNote incident={incident} close={() => setOpen(false)} />
        ) : (
          <DraftForm incident={incident} close={() => setOpen(false)} />
        )}
      </Dialog>
    </section>
  )
}

function PostmortemLine({ postmortem }: { postmortem: NonNullable<FullIncident['postmortem']> }) {
  return (
    <p className={styles.line}>
      <ItemLink item={postmortem.page} />
      <span>{texts.states[postmortem.status]}</span>
      <span className={planning.note} dir="auto">
        {postmortem.author.title}
        {postmortem.due_on !== undefined && `, ${texts.dueOn(relativeDay(postmortem.due_on))}`}
      </span>
      {postmortem.overdue && <span className={planning.late}>{texts.overdue}</span>}
    </p>
  )
}

interface FormProps {
  incident: IncidentRow
  close: () => void
}

function PublishNote({ incident, close }: FormProps) {
  const publish = async (note: string) => {
    await write(
      'publish_postmortem',
      { incident_id: incident.id, ...(note !== '' && { note }) },
      {
        rows: [
          {
            type: 'incident',
            id: incident.id,
            set: { status: 'closed', closed_at: new Date().toISOString() },
          },
        ],
        text: t.tasks.changed(incident.key, texts.published),
      },
    )
    await invalidateOperations('get_incident')
  }
  return (
    <>
      <p className={planning.note}>{texts.publishHint}</p>
      <ReasonForm
        label={texts.note}
        action={texts.publish}
        isOptional
        submit={(note) => void publish(note)}
        close={close}
      />
    </>
  )
}

function DraftForm({ incident, close }: FormProps) {
  const people = usePeople()
  const me = useMe()
  const templates = useList('list_pages', { kind: 'template', limit: 100 }).items
  const [authorId, setAuthor] = useState(me.id)
  const [templateId, setTemplate] = useState('')
  const [due, setDue] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    close()
    await write(
      'create_postmortem',
      {
        incident_id: incident.id,
        author_id: authorId,
        ...(templateId !== '' && { template_page_id: templateId }),
        ...(due !== '' && { due_on: due }),
      },
      { text: t.tasks.changed(incident.key, texts.drafted) },
    )
    await invalidateOperations('get_incident')
  }
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <label>
        {texts.author}
        <select
          data-autofocus
          value={authorId}
          onChange={(event) => setAuthor(event.currentTarget.value)}
        >
          {people.map(({ id, display_name: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.template}
        <select value={templateId} onChange={(event) => setTemplate(event.currentTarget.value)}>
          <option value="">{texts.noTemplate}</option>
          {templates.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.due}
        <input type="date" value={due} onChange={(event) => setDue(event.currentTarget.value)} />
      </label>
      <button type="submit" className={planning.primary}>
        {texts.action}
      </button>
    </form>
  )
}
