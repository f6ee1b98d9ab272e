import { IconCopyPlus, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe } from '../../../session/session.ts'
import { write } from '../../../store/index.ts'
import { templates as words } from '../../../texts/en/tasks/templates.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Shown } from '../../../ui/states.tsx'
import { Spot } from '../../items/Section.tsx'
import { readTemplatesAgain, useTemplates, type TaskTemplate } from '../../tasks/templates/data.ts'
import { EditTemplate } from '../../tasks/templates/EditTemplate.tsx'
import { createFromTemplate } from '../../tasks/templates/open.ts'
import { readOutline, tasksIn } from '../../tasks/templates/outline.ts'
import type { ProjectRow } from '../data.ts'
import styles from './settings.module.css'

/** The templates of a project and of the organization. Their creator can edit and delete them. */
export function Templates({ project }: { project: ProjectRow }) {
  const [edited, setEdited] = useState<TaskTemplate>()
  const templates = useTemplates()
  const here = templates.items.filter((item) => (item.project?.id ?? project.id) === project.id)
  return (
    <section>
      <h2 className={styles.heading}>{words.title}</h2>
      <p className={styles.quiet}>{words.text}</p>
      <Shown query={templates}>
        {() => (
          <ul className={styles.list}>
            {here.map((item) => (
              <li key={item.id}>
                <Spot id={item.id}>
                  <TemplateLine template={item} project={project} edit={() => setEdited(item)} />
                </Spot>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <Dialog
        isOpen={edited !== undefined}
        close={() => setEdited(undefined)}
        title={words.edit(edited?.name ?? '')}
        isWide
      >
        {edited && <EditTemplate template={edited} close={() => setEdited(undefined)} />}
      </Dialog>
    </section>
  )
}

interface LineProps {
  template: TaskTemplate
  project: ProjectRow
  edit: () => void
}

function TemplateLine({ template, project, edit }: LineProps) {
  const isMine = useMe().id === template.created_by?.id
  const about = words.about(tasksIn(readOutline(template.outline)), template.use_count)
  return (
    <div className={styles.line}>
      <span className={styles.name} dir="auto">
        {template.name}
      </span>
      <span className={styles.quiet}>
        {template.project === undefined ? `${about} · ${words.everywhere}` : about}
      </span>
      <span className={styles.tool}>
        <button
          type="button"
          className={styles.icon}
          aria-label={words.useOf(template.name)}
          onClick={() => createFromTemplate({ project: project.key, template: template.id })}
        >
          <IconCopyPlus size={15} aria-hidden />
        </button>
        {isMine && (
          <>
            <button
              type="button"
              className={styles.icon}
              aria-label={words.edit(template.name)}
              onClick={edit}
            >
              <IconPencil size={15} aria-hidden />
            </button>
            <button
              type="button"
              className={styles.icon}
              aria-label={words.remove(template.name)}
              onClick={() => void deleteTemplate(template)}
            >
              <IconTrash size={15} aria-hidden />
            </button>
          </>
        )}
      </span>
    </div>
  )
}

async function deleteTemplate(template: TaskTemplate): Promise<void> {
  await write(
    'delete_task_template',
    { template_id: template.id },
    { text: words.removed(template.name) },
  )
  await readTemplatesAgain()
}
