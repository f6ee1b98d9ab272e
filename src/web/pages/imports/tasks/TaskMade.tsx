import { taskImport as words } from '../../../texts/en/imports/tasks.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import type { Project } from '../../tasks/data/lists.ts'
import { ImportedItems } from '../MadeItems.tsx'
import { closeImport } from '../open.ts'
import { Remarks } from '../Remarks.tsx'
import type { TaskOutcome } from './data.ts'

/** Imported tasks, with links to them. */
export function ImportedTasks({
  outcome,
  project: { key, name },
}: {
  outcome: TaskOutcome
  project: Project
}) {
  return (
    <>
      <ImportedItems items={outcome.created} count={outcome.count} />
      {outcome.count > 0 && (
        <RouterLink to={`/projects/${key}/tasks`} onClick={closeImport}>
          {words.open(name)}
        </RouterLink>
      )}
      <Remarks
        skipped={outcome.skipped}
        skippedCount={outcome.skippedCount}
        warnings={outcome.warnings}
      />
    </>
  )
}
