import { useIsAdmin, useMe } from '../../../session/session.ts'
import { projectSettings as texts } from '../../../texts/en/planning/project-settings.ts'
import type { ProjectRow } from '../data.ts'
import { CustomFields } from './CustomFields.tsx'
import { EndProject } from './EndProject.tsx'
import { Members } from './Members.tsx'
import styles from './settings.module.css'
import { Templates } from './Templates.tsx'
import { Workflow } from './Workflow.tsx'

/** Settings of a project: its members, the statuses and fields of its tasks, and its archiving or deletion. */
export function ProjectSettings({ project }: { project: ProjectRow }) {
  const isLead = useMe().id === project.lead.id
  const canEdit = useIsAdmin() || isLead
  const canChange = canEdit && project.status !== 'archived'
  return (
    <div className={styles.settings}>
      {!canEdit && <p className={styles.quiet}>{texts.readOnly}</p>}
      <Members project={project} canEdit={canChange} />
      <Workflow key={statusesKey(project)} project={project} canEdit={canChange} />
      <CustomFields project={project} canEdit={canChange} />
      <Templates project={project} />
      {canEdit && <EndProject project={project} />}
    </div>
  )
}

/** A different set of statuses resets the form. */
const statusesKey = ({ statuses }: ProjectRow) => JSON.stringify(statuses)
