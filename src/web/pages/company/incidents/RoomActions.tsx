import { useState, type ReactNode } from 'react'
import { runCommand, useCommands, type CommandHandlers } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import type { CommandId } from '../../../keys/keymap.ts'
import { useSignedIn } from '../../../session/session.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Ago } from '../../../ui/times.tsx'
import planning from '../../planning/planning.module.css'
import {
  acknowledge,
  mitigate,
  reopen,
  resolve,
  type FullIncident,
  type IncidentRow,
} from './data.ts'
import { EscalateForm } from './EscalateForm.tsx'
import styles from './incidents.module.css'
import { isActive } from './order.ts'
import { PublishForm } from './status/PublishForm.tsx'
import { ReasonForm } from './ReasonForm.tsx'

const { actions } = words
type RoomDialog = 'resolve' | 'reopen' | 'escalate' | 'publish'

/** Status of an incident, and the actions that advance it. */
export function RoomActions({ incident, full }: { incident: IncidentRow; full: FullIncident }) {
  const { person } = useSignedIn()
  const [openDialog, setOpenDialog] = useState<RoomDialog>()
  const open = (dialog: RoomDialog) => () => setOpenDialog(dialog)
  const { status } = incident
  const isOngoing = isActive(incident)
  const commandRuns: CommandHandlers = {
    'incident.acknowledge':
      status === 'open'
        ? () => acknowledge(incident, { id: person.id, title: person.name })
        : undefined,
    'incident.mitigate': status === 'acknowledged' ? () => mitigate(incident) : undefined,
    'incident.resolve': isOngoing ? open('resolve') : undefined,
    'incident.reopen': isOngoing ? undefined : open('reopen'),
    'incident.publish': open('publish'),
    'incident.escalate': isOngoing ? open('escalate') : undefined,
  }
  useCommands(commandRuns)
  return (
    <div className={styles.head}>
      <Steps incident={incident} />
      <div className={styles.actions}>
        {buttons
          .filter(([command]) => commandRuns[command] !== undefined)
          .map(([command, label], n) => (
            <button
              key={command}
              type="button"
              className={n === 0 ? planning.primary : planning.button}
              onClick={() => runCommand(command)}
            >
              {label} <KeyCombo command={command} />
            </button>
          ))}
      </div>
      <RoomDialog
        incident={incident}
        full={full}
        openDialog={openDialog}
        close={() => setOpenDialog(undefined)}
      />
    </div>
  )
}

const buttons: readonly (readonly [command: CommandId, label: string])[] = [
  ['incident.acknowledge', actions.acknowledge],
  ['incident.mitigate', actions.mitigate],
  ['incident.resolve', actions.resolve],
  ['incident.reopen', actions.reopen],
  ['incident.publish', actions.publish],
  ['incident.escalate', actions.escalate],
]

const steps = [
  ['open', 'opened_at'],
  ['acknowledged', 'acknowledged_at'],
  ['mitigated', 'mitigated_at'],
  ['resolved', 'resolved_at'],
  ['closed', 'closed_at'],
] as const satisfies readonly (readonly [IncidentRow['status'], keyof IncidentRow])[]

/** The states in sequence, with the time at which each was reached. */
function Steps({ incident }: { incident: IncidentRow }) {
  const currentIndex = steps.findIndex(([status]) => status === incident.status)
  return (
    <ol className={styles.steps} aria-label={words.steps}>
      {steps.map(([status, field], n) => {
        const reachedAt = incident[field]
        return (
          <li
            key={status}
            data-status={status}
            data-reached={n <= currentIndex || undefined}
            aria-current={n === currentIndex ? 'step' : undefined}
          >
            <span>{words.statuses[status]}</span>
            {n <= currentIndex && reachedAt !== undefined && <Ago time={reachedAt} />}
          </li>
        )
      })}
    </ol>
  )
}

interface RoomDialogProps {
  incident: IncidentRow
  full: FullIncident
  openDialog: RoomDialog | undefined
  close: () => void
}

function RoomDialog({ incident, full, openDialog, close }: RoomDialogProps): ReactNode {
  if (openDialog === undefined) return null
  const { key } = incident
  if (openDialog === 'publish')
    return (
      <Dialog isOpen close={close} title={words.updates.dialog} isWide className={styles.publish}>
        <PublishForm
          incident={incident}
          previousUpdates={full.status_updates ?? []}
          close={close}
        />
      </Dialog>
    )
  if (openDialog === 'escalate')
    return (
      <Dialog isOpen close={close} title={words.escalate.title(key)}>
        <EscalateForm incident={incident} close={close} />
      </Dialog>
    )
  return (
    <Dialog isOpen close={close} title={words[openDialog].title(key)}>
      {openDialog === 'resolve' ? (
        <ReasonForm
          {...words.resolve}
          label={words.resolve.text}
          timeLabel={words.resolve.at}
          submit={(text, at) => resolve(incident, text, at)}
          close={close}
        />
      ) : (
        <ReasonForm
          {...words.reopen}
          label={words.reopen.text}
          submit={(text) => reopen(incident, text)}
          close={close}
        />
      )}
    </Dialog>
  )
}
