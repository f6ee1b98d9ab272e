import { Badge, Button, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconEye, IconHandStop } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { activityTexts as t } from '../texts.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { Ago } from '../../../ui/times.tsx'
import styles from '../activity.module.css'
import { describeCall, callerNames, describeFailure, type ApiCall } from './calls.ts'

const maxItems = 3

interface Props {
  call: ApiCall
  isCurrent: boolean
  /** True if calls of several people are shown. */
  withPeople: boolean
  undo: (call: ApiCall) => void
}

/** One call in the log. */
export const CallRow = memo(function CallRow({ call, isCurrent, withPeople, undo }: Props) {
  const text = t.activity
  const callText = describeCall(call)
  const failureText = describeFailure(call)
  const callerText = [...(withPeople ? [call.actor.title] : []), ...callerNames(call)].join(' · ')
  return (
    <div className={isCurrent ? styles.here : styles.row}>
      <span className={styles.mark}>
        <StatusIcon call={call} />
      </span>
      <div className={styles.main}>
        <Text size="sm" component="div">
          <Link
            {...({
              to: `/activity/calls/${call.id}`,
              search: true,
              resetScroll: false,
            } as { to: string })}
            className={styles.name}
            data-call={call.id}
            aria-current={isCurrent || undefined}
          >
            {callText}
          </Link>
          {call.items.slice(0, maxItems).map((item) => (
            <span key={item.id} className={`${styles.above} ${styles.clip} ${styles.item}`}>
              <ItemLink item={item} withIcon={false} />
            </span>
          ))}
          {call.items.length > maxItems && (
            <Text span size="xs" c="dimmed">
              {' '}
              {text.moreItems(call.items.length - maxItems)}
            </Text>
          )}
        </Text>
        <div className={styles.about}>
          <span className={styles.clip} dir="auto" title={callerText}>
            {callerText}
          </span>
          {call.result_count !== undefined && <span>{text.found(call.result_count)}</span>}
          {failureText && <span>{failureText}</span>}
        </div>
      </div>
      <div className={styles.side}>
        {call.undo === 'possible' && (
          <Button
            className={styles.above}
            size="compact-xs"
            variant="default"
            onClick={() => undo(call)}
            aria-label={text.undo.label(callText)}
          >
            {text.undo.action}
          </Button>
        )}
        {call.undo === 'done' && (
          <Badge size="sm" variant="default" tt="none">
            {text.undo.states.done}
          </Badge>
        )}
        <span className={styles.times}>
          <Ago time={call.at} />
          <span>{text.took(call.duration_ms)}</span>
        </span>
      </div>
    </div>
  )
})

function StatusIcon({ call: { status, kind, error_code } }: { call: ApiCall }) {
  const label = t.activity.outcome[status]
  if (error_code === 'approval_required')
    return (
      <IconHandStop
        size={17}
        color="var(--mantine-color-yellow-text)"
        role="img"
        aria-label={t.activity.approvals.states.pending}
      />
    )
  if (status !== 'ok')
    return (
      <IconCircleX size={17} color="var(--mantine-color-red-text)" role="img" aria-label={label} />
    )
  if (kind === 'read')
    return <IconEye size={17} color="var(--muted)" role="img" aria-label={t.activity.kinds.read} />
  return (
    <IconCircleCheck
      size={17}
      color="var(--mantine-color-green-text)"
      role="img"
      aria-label={label}
    />
  )
}
