import { useState, type FormEvent } from 'react'
import { write } from '../../../store/index.ts'
import { templates as words } from '../../../texts/en/tasks/templates.ts'
import form from '../../planning/planning.module.css'
import { readTemplatesAgain } from './data.ts'
import { closeTemplates } from './open.ts'
import { TemplateName } from './TemplateName.tsx'
import styles from './templates.module.css'

/** Asks for the name of a template created from a task. */
export function SaveTemplate({ task }: { task: { id: string; title: string } }) {
  const [name, setName] = useState(task.title)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    closeTemplates()
    await write(
      'create_task_template',
      { from_task_id: task.id, name: name.trim() },
      { text: words.saved(name.trim()) },
    )
    await readTemplatesAgain()
  }
  return (
    <form className={form.form} onSubmit={(event) => void submit(event)}>
      <p className={styles.quiet}>{words.saveText}</p>
      <TemplateName name={name} setName={setName} />
      <button type="submit" className={form.primary} disabled={name.trim() === ''}>
        {words.saveAction}
      </button>
    </form>
  )
}
