import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { Markdown } from '../../../ui/Markdown.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { LinkTarget } from '../../items/Section.tsx'
import type { ProjectRow } from '../data.ts'
import { Health, HealthIcon, healthStates, type HealthState } from '../Health.tsx'
import styles from '../planning.module.css'

/** The last report on a project, and a form for the next one, which sets its health. */
export function ProjectUpdates({ project }: { project: ProjectRow }) {
  const [isWriting, setWriting] = useState(false)
  const { data } = useOperation('get_project_summary', { project_id: project.id })
  const lastUpdate = data?.last_update
  return (
    <section className={styles.section}>
      <h2>
        {t.planning.update.title}
        {!isWriting && (
          <button
            type="button"
            className={styles.button}
            data-plain
            onClick={() => setWriting(true)}
          >
            {t.planning.update.write}
          </button>
        )}
      </h2>
      {isWriting && <UpdateForm project={project} close={() => setWriting(false)} />}
      {lastUpdate && (
        <LinkTarget id={lastUpdate.id}>
          <div className={styles.update}>
            <div className={styles.updateHead}>
              <Health health={lastUpdate.health} />
              <span className={styles.marked}>
                <Face id={lastUpdate.author.id} name={lastUpdate.author.title} size={18} />
                <span dir="auto">{lastUpdate.author.title}</span>
              </span>
              <Ago time={lastUpdate.created_at} />
            </div>
            <Markdown text={lastUpdate.body_markdown} parentLevel={2} />
          </div>
        </LinkTarget>
      )}
      {!lastUpdate && !isWriting && <p className={styles.quiet}>{t.planning.update.none}</p>}
    </section>
  )
}

function UpdateForm({ project, close }: { project: ProjectRow; close: () => void }) {
  const [health, setHealth] = useState<HealthState>(project.health ?? 'on_track')
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void write(
      'post_project_update',
      { project_id: project.id, health, body_markdown: text },
      {
        rows: [{ type: 'project', id: project.id, set: { health } }],
        text: t.tasks.changed(project.key, t.planning.set.health(t.planning.health[health])),
      },
    )
    close()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <fieldset className={styles.choices}>
        <legend>{t.planning.fields.health}</legend>
        {healthStates.map((state) => (
          <button
            key={state}
            type="button"
            className={styles.button}
            aria-pressed={state === health}
            onClick={() => setHealth(state)}
          >
            <HealthIcon health={state} />
            {t.planning.health[state]}
          </button>
        ))}
      </fieldset>
      <label>
        {t.planning.update.text}
        <textarea
          ref={field}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          rows={4}
          required
          dir="auto"
        />
      </label>
      <div className={styles.choices}>
        <button type="submit" className={styles.primary} disabled={text.trim() === ''}>
          {t.planning.update.post}
        </button>
        <button type="button" className={styles.button} onClick={close}>
          {t.app.cancel}
        </button>
      </div>
    </form>
  )
}
