import { IconCopyPlus, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe } from '../../../session/session.ts'
import { write } from '../../../store/index.ts'
import { templates as texts } from '../../../texts/en/tasks/templates.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { LinkTarget } from '../../items/Section.tsx'
import { invalidateTemplates, useTemplates, type TaskTemplate } from '../../tasks/templates/data.ts'
import { EditTemplate } from '../../tasks/templates/EditTemplate.tsx'
import { openTemplateDialog } from '../../tasks/templates/open.ts'
import { readOutline, countOutlineTasks } from '../../tasks/templates/outline.ts'
import type { ProjectRow } from '../data.ts'
import styles from './settings.module.css'

/** The templates of a project and of the organization. Their creator can edit and delete them. */
export function Templates({ project }: { project: ProjectRow }) {
  const [editedTemplate, setEditedTemplate] = useState<TaskTemplate>()
  const templates = useTemplates()
  const visibleTemplates = templates.items.filter(
    (item) => (item.project?.id ?? project.id) === project.id,
  )
  return (
    <section>
      <h2 className={styles.heading}>{texts.title}</h2>
      <p className={styles.quiet}>{texts.text}</p>
      <QueryContent query={templates}>
        {() => (
          <ul className={styles.list}>
            {visibleTemplates.map((item) => (
              <li key={item.id}>
                <LinkTarget id={item.id}>
                  <TemplateLine
                    template={item}
                    project={project}
                    edit={() => setEditedTemplate(item)}
                  />
                </LinkTarget>
              </li>
            ))}
          </ul>
        )}
      </QueryContent>
      <Dialog
        isOpen={editedTemplate !== undefined}
        close={() => setEditedTemplate(undefined)}
        title={texts.edit(editedTemplate?.name ?? '')}
        isWide
      >
        {editedTemplate && (
          <EditTemplate template={editedTemplate} close={() => setEditedTemplate(undefined)} />
        )}
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
  const summary = texts.about(countOutlineTasks(readOutline(template.outline)), template.use_count)
  return (
    <div className={styles.line}>
      <span className={styles.name} dir="auto">
        {template.name}
      </span>
      <span className={styles.quiet}>
        {template.project === undefined ? `${summary} · ${texts.everywhere}` : summary}
      </span>
      <span className={styles.tool}>
        <button
          type="button"
          className={styles.icon}
          aria-label={texts.useOf(template.name)}
          onClick={() => openTemplateDialog({ project: project.key, template: template.id })}
        >
          <IconCopyPlus size={15} aria-hidden />
        </button>
        {isMine && (
          <>
            <button
              type="button"
              className={styles.icon}
              aria-label={texts.edit(template.name)}
              onClick={edit}
            >
              <IconPencil size={15} aria-hidden />
            </button>
            <button
              type="button"
              className={styles.icon}
              aria-label={texts.remove(template.name)}
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
    { text: texts.removed(template.name) },
  )
  await invalidateTemplates()
}
