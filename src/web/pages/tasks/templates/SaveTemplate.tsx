import { useState, type FormEvent } from 'react'
import { write } from '../../../store/index.ts'
import { templates as texts } from '../../../texts/en/tasks/templates.ts'
import form from '../../planning/planning.module.css'
import { invalidateTemplates } from './data.ts'
import { closeTemplateDialog } from './open.ts'
import { TemplateName } from './TemplateName.tsx'
import styles from './templates.module.css'

/** Asks for the name of a template created from a task. */
export function SaveTemplate({ task }: { task: { id: string; title: string } }) {
  const [name, setName] = useState(task.title)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    closeTemplateDialog()
    await write(
      'create_task_template',
      { from_task_id: task.id, name: name.trim() },
      { text: texts.saved(name.trim()) },
    )
    await invalidateTemplates()
  }
  return (
    <form className={form.form} onSubmit={(event) => void submit(event)}>
      <p className={styles.quiet}>{texts.saveText}</p>
      <TemplateName name={name} setName={setName} />
      <button type="submit" className={form.primary} disabled={name.trim() === ''}>
        {texts.saveAction}
      </button>
    </form>
  )
}
