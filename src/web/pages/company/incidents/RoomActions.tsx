import { useState, type ReactNode } from 'react'
import { runCommand, useCommands, type CommandRuns } from '../../../keys/commands.ts'
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
  const [opened, setOpened] = useState<RoomDialog>()
  const open = (what: RoomDialog) => () => setOpened(what)
  const { status } = incident
  const isGoingOn = isActive(incident)
  const next: CommandRuns = {
    'incident.acknowledge':
      status === 'open'
        ? () => acknowledge(incident, { id: person.id, title: person.name })
        : undefined,
    'incident.mitigate': status === 'acknowledged' ? () => mitigate(incident) : undefined,
    'incident.resolve': isGoingOn ? open('resolve') : undefined,
    'incident.reopen': isGoingOn ? undefined : open('reopen'),
    'incident.publish': open('publish'),
    'incident.escalate': isGoingOn ? open('escalate') : undefined,
  }
  useCommands(next)
  return (
    <div className={styles.head}>
      <Steps incident={incident} />
      <div className={styles.actions}>
        {buttons
          .filter(([command]) => next[command] !== undefined)
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
        opened={opened}
        close={() => setOpened(undefined)}
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
  const here = steps.findIndex(([status]) => status === incident.status)
  return (
    <ol className={styles.steps} aria-label={words.steps}>
      {steps.map(([status, field], n) => {
        const at = incident[field]
        return (
          <li
            key={status}
            data-status={status}
            data-reached={n <= here || undefined}
            aria-current={n === here ? 'step' : undefined}
          >
            <span>{words.statuses[status]}</span>
            {n <= here && at !== undefined && <Ago at={at} />}
          </li>
        )
      })}
    </ol>
  )
}

interface OpenedProps {
  incident: IncidentRow
  full: FullIncident
  opened: RoomDialog | undefined
  close: () => void
}

function RoomDialog({ incident, full, opened, close }: OpenedProps): ReactNode {
  if (opened === undefined) return null
  const { key } = incident
  if (opened === 'publish')
    return (
      <Dialog isOpen close={close} title={words.updates.dialog} isWide className={styles.publish}>
        <PublishForm incident={incident} before={full.status_updates ?? []} close={close} />
      </Dialog>
    )
  if (opened === 'escalate')
    return (
      <Dialog isOpen close={close} title={words.escalate.title(key)}>
        <EscalateForm incident={incident} close={close} />
      </Dialog>
    )
  return (
    <Dialog isOpen close={close} title={words[opened].title(key)}>
      {opened === 'resolve' ? (
        <ReasonForm
          {...words.resolve}
          label={words.resolve.text}
          atLabel={words.resolve.at}
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
