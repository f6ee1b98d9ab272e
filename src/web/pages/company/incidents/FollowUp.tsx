import { useState } from 'react'
import { invalidateOperations, useList } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { write } from '../../../store/index.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import planning from '../../planning/planning.module.css'
import type { FullIncident, IncidentRow } from './data.ts'
import styles from './incidents.module.css'
import { SourceTaskForm } from '../TaskOfSource.tsx'

interface FollowUpProps {
  incident: IncidentRow
  full: FullIncident
}

/** Follow-up of an incident: runbooks, tasks, and similar incidents. */
export function FollowUp({ incident, full }: FollowUpProps) {
  return (
    <>
      <Runbooks incident={incident} full={full} />
      <Tasks incident={incident} full={full} />
      <SimilarIncidents incidentId={incident.id} />
    </>
  )
}

function Tasks({ incident, full }: FollowUpProps) {
  const { tasks } = words
  const [isCreating, setCreating] = useState(false)
  useCommands({ 'incident.task': () => setCreating(true) })
  const followUps = full.follow_up_tasks ?? []
  return (
    <section className={planning.section}>
      <h2>
        {tasks.title}
        <button
          type="button"
          className={planning.button}
          data-plain
          onClick={() => setCreating(true)}
        >
          {tasks.make}
        </button>
      </h2>
      {followUps.length === 0 ? (
        <p className={planning.quiet}>{tasks.none}</p>
      ) : (
        <ul className={styles.plain}>
          {followUps.map((task) => (
            <li key={task.id}>
              <ItemLink item={task} />
            </li>
          ))}
        </ul>
      )}
      <Dialog isOpen={isCreating} close={() => setCreating(false)} title={tasks.make}>
        <SourceTaskForm
          source={{ type: 'incident', id: incident.id, title: incident.title }}
          onCreated={() => void invalidateOperations('get_incident')}
          close={() => setCreating(false)}
        />
      </Dialog>
    </section>
  )
}

function Runbooks({ incident, full }: FollowUpProps) {
  const { runbooks } = words
  const [anchor, setAnchor] = useState<Element>()
  useCommands({
    'incident.runbook': () =>
      setAnchor(document.querySelector('[data-start-runbook]') ?? undefined),
  })
  const startedRunbooks = full.runbooks ?? []
  return (
    <section className={planning.section}>
      <h2>
        {runbooks.title}
        <button
          type="button"
          className={planning.button}
          data-plain
          data-start-runbook
          aria-haspopup="dialog"
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          {runbooks.start}
        </button>
      </h2>
      {startedRunbooks.length === 0 && <p className={planning.quiet}>{runbooks.none}</p>}
      <ul className={styles.plain}>
        {startedRunbooks.map(({ runbook, progress: { done, total } }) => (
          <li key={runbook.id}>
            <ItemLink item={runbook} />
            <span className={planning.note}>{runbooks.progress(done, total)}</span>
          </li>
        ))}
      </ul>
      {anchor && (
        <RunbookPicker incident={incident} anchor={anchor} close={() => setAnchor(undefined)} />
      )}
    </section>
  )
}

interface RunbookPickerProps {
  incident: IncidentRow
  anchor: Element
  close: () => void
}

/** Matching runbooks, best first; the chosen one becomes a checklist of tasks. */
function RunbookPicker({ incident, anchor, close }: RunbookPickerProps) {
  const matchingRunbooks = useList('list_runbooks', { incident_id: incident.id, limit: 100 }).items
  const all = useList('list_runbooks', { limit: 100 }).items
  const others = all.filter(({ id }) => matchingRunbooks.every((runbook) => runbook.id !== id))
  const start = async (runbook: { id: string; name: string }) => {
    await write(
      'start_runbook',
      { incident_id: incident.id, runbook_id: runbook.id },
      { text: t.tasks.changed(incident.key, words.runbooks.started(runbook.name)) },
    )
    await invalidateOperations('get_incident')
  }
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={words.runbooks.start}
      choices={(query) =>
        filterChoices(
          [...matchingRunbooks, ...others].map((runbook) => ({
            value: runbook,
            label: runbook.name,
            hint: runbook.match_reason,
          })),
          query,
        )
      }
      choose={(runbook) => void start(runbook)}
    />
  )
}

function SimilarIncidents({ incidentId }: { incidentId: string }) {
  const { items, isPending } = useList('find_similar_incidents', {
    incident_id: incidentId,
    limit: 5,
  })
  return (
    <section className={planning.section}>
      <h2>{words.similar.title}</h2>
      {items.length === 0 && !isPending && <p className={planning.quiet}>{words.similar.none}</p>}
      <ul className={styles.plain}>
        {items.map(({ incident, reasons, resolution }) => (
          <li key={incident.id}>
            <ItemLink item={incident} />
            <span className={planning.note} dir="auto">
              {resolution ?? reasons.map(({ detail }) => detail).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
