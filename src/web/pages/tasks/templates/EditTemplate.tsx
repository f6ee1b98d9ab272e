import { useState, type FormEvent } from 'react'
import { write } from '../../../store/index.ts'
import { templates as texts } from '../../../texts/en/tasks/templates.ts'
import { Problem } from '../../../ui/states.tsx'
import form from '../../planning/planning.module.css'
import { invalidateTemplates, type TaskTemplate } from './data.ts'
import { OutlineEditor } from './OutlineEditor.tsx'
import { outlineOf, outlineRows } from './outline-rows.ts'
import { TemplateName } from './TemplateName.tsx'

interface EditTemplateProps {
  template: TaskTemplate
  close: () => void
}

/** Edits the name of a template and the tasks created from it. */
export function EditTemplate({ template, close }: EditTemplateProps) {
  const [name, setName] = useState(template.name)
  const [rows, setRows] = useState(() => outlineRows(template.outline))
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setSaving(true)
    const outline = outlineOf(rows)
    const isSame =
      JSON.stringify(outline) === JSON.stringify(outlineOf(outlineRows(template.outline)))
    const result = await write(
      'update_task_template',
      {
        ...{ template_id: template.id, expected_revision: template.revision, name: name.trim() },
        ...(!isSame && { outline }),
      },
      { text: texts.changed(name.trim()), handles: () => true },
    )
    setSaving(false)
    if (result.state === 'refused') return setError(result.error)
    close()
    await invalidateTemplates()
  }
  return (
    <form className={form.form} onSubmit={(event) => void submit(event)}>
      <TemplateName name={name} setName={setName} />
      <OutlineEditor rows={rows} setRows={setRows} />
      {error !== undefined && <Problem error={error} />}
      <button type="submit" className={form.primary} disabled={isSaving || name.trim() === ''}>
        {texts.editAction}
      </button>
    </form>
  )
}
