import { IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { invalidateOperations, useList } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { incidentTexts } from '../../../texts/en/company/incidents.ts'
import { serviceTexts as words } from '../../../texts/en/company/services.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { SetupList } from './SetupList.tsx'
import { RunbookForm, type Runbook } from './RunbookForm.tsx'

/** The runbooks of the organization: the steps of a response. */
export function Runbooks() {
  const runbooks = useList('list_runbooks', { limit: 100 })
  const [editedRunbook, setEditedRunbook] = useState<Runbook | 'new'>()
  const close = () => setEditedRunbook(undefined)
  return (
    <>
      <SetupList<Runbook>
        title={words.runbooks}
        createLabel={words.runbook.create}
        query={runbooks}
        empty={{ icon: IconListCheck, ...words.runbook.empty }}
        pathOf={({ id }) => `/runbooks/${id}`}
        facts={runbookSummary}
        create={() => setEditedRunbook('new')}
        edit={setEditedRunbook}
        remove={(runbook) => void removeRunbook(runbook)}
      />
      <Dialog isOpen={editedRunbook !== undefined} close={close} title={words.runbook.title} isWide>
        <RunbookForm runbook={editedRunbook === 'new' ? undefined : editedRunbook} close={close} />
      </Dialog>
    </>
  )
}

function runbookSummary({ steps, services, severities }: Runbook): string {
  return [
    words.runbook.count(steps.length),
    services.map(({ title }) => title).join(', '),
    severities.length === 0
      ? words.runbook.any
      : severities.map((severity) => incidentTexts.severities[severity]).join(', '),
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

async function removeRunbook({ id, name }: Runbook): Promise<void> {
  await write('delete_runbook', { runbook_id: id }, { text: t.tasks.changed(name, words.removed) })
  await invalidateOperations('list_runbooks')
}
