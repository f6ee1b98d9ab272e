import { useIsAdmin, useMe } from '../../../session/session.ts'
import { projectSettings as words } from '../../../texts/en/planning/project-settings.ts'
import type { ProjectRow } from '../data.ts'
import { CustomFields } from './CustomFields.tsx'
import { EndProject } from './EndProject.tsx'
import { Members } from './Members.tsx'
import styles from './settings.module.css'
import { Templates } from './Templates.tsx'
import { Workflow } from './Workflow.tsx'

/** Settings of a project: its members, the statuses and fields of its tasks, and its end. */
export function ProjectSettings({ project }: { project: ProjectRow }) {
  const isLead = useMe().id === project.lead.id
  const mayEdit = useIsAdmin() || isLead
  const mayChange = mayEdit && project.status !== 'archived'
  return (
    <div className={styles.settings}>
      {!mayEdit && <p className={styles.quiet}>{words.readOnly}</p>}
      <Members project={project} mayEdit={mayChange} />
      <Workflow key={statusesOf(project)} project={project} mayEdit={mayChange} />
      <CustomFields project={project} mayEdit={mayChange} />
      <Templates project={project} />
      {mayEdit && <EndProject project={project} />}
    </div>
  )
}

/** A different set of statuses resets the form. */
const statusesOf = ({ statuses }: ProjectRow) => JSON.stringify(statuses)
