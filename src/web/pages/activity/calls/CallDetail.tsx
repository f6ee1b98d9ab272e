import { endpointKey } from '../../../api/queries.ts'
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { activityTexts as t } from '../texts.ts'
import { AppLink, RouterLink } from '../../../ui/AppLink.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import styles from '../activity.module.css'
import { ChangeList } from './Changes.tsx'
import { describeCall, describeTool, describeFailure, type FullCall } from './calls.ts'
import { CallArguments } from './Given.tsx'
import { CallState } from '../State.tsx'
import { UndoDialog } from './UndoDialog.tsx'

const text = t.activity.call
const colors = { ok: 'green', error: 'red', denied: 'yellow' } as const

/** All details of one call, and undo. */
export function CallDetail({ call }: { call: FullCall }) {
  const [isUndoing, setUndoing] = useState(false)
  const client = useQueryClient()
  const failureText = describeFailure(call)
  const closeUndo = () => {
    setUndoing(false)
    void client.invalidateQueries({
      queryKey: endpointKey('/web/activity/calls/:id', { id: call.id }),
    })
  }
  return (
    <Stack gap="md">
      <div>
        <Title order={2} size="h3">
          {describeCall(call)}
        </Title>
        <Group gap="xs" mt={4}>
          <CallState color={colors[call.status]}>{t.activity.outcome[call.status]}</CallState>
          {call.undo &&
            call.undo !== 'possible' &&
            call.kind !== 'read' &&
            call.status === 'ok' && (
              <CallState color="gray">{t.activity.undo.states[call.undo]}</CallState>
            )}
          {call.undo === 'possible' && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconArrowBackUp size={14} />}
              onClick={() => setUndoing(true)}
            >
              {t.activity.undo.action}
            </Button>
          )}
        </Group>
      </div>
      {failureText && (
        <Alert
          color={
            call.status === 'denied' || call.error_code === 'approval_required' ? 'yellow' : 'red'
          }
          variant="light"
          icon={<IconAlertTriangle />}
        >
          <Text size="sm">{failureText}</Text>
          {call.error_code === 'approval_required' && (
            <AppLink to="/approvals" size="sm">
              {text.approve}
            </AppLink>
          )}
        </Alert>
      )}
      <RelatedCall label={text.undoneBy} link={text.undoneLink} id={call.undone_by} />
      <RelatedCall label={text.undid} link={text.undidLink} id={call.undid?.id} />
      {call.items.length > 0 && (
        <Section title={text.items}>
          <ul className={styles.plain}>
            {call.items.map((item) => (
              <li key={item.id}>
                <ItemLink item={item} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {call.changes && call.changes.length > 0 && (
        <Section title={text.changes}>
          <ChangeList changes={call.changes} total={call.changes_total ?? 0} />
        </Section>
      )}
      <Section title={text.arguments}>
        {call.arguments === undefined ? (
          <Text size="sm">{text.notYours}</Text>
        ) : (
          <CallArguments values={call.arguments} />
        )}
      </Section>
      <CallFacts call={call} />
      <UndoDialog call={isUndoing ? call : undefined} close={closeUndo} />
    </Stack>
  )
}

function CallFacts({ call }: { call: FullCall }) {
  const facts: [string, ReactNode][] = [
    [
      text.when,
      <time key="t" dateTime={call.at}>
        {formatMoment(call.at)}
      </time>,
    ],
    [text.duration, t.activity.took(call.duration_ms)],
    [text.person, call.actor.title],
    [text.key, call.key.title],
    [text.client, call.client && [call.client.name, call.client.version].filter(Boolean).join(' ')],
    [text.transport, `${text.transports[call.transport]}, ${call.route}`],
    [text.address, call.ip],
    [text.area, call.module && describeTool(call.module)],
    [text.effect, t.activity.kinds[call.kind]],
    [
      text.results,
      call.result_count === undefined ? undefined : t.activity.found(call.result_count),
    ],
    [text.idempotency, call.idempotency_key],
    [text.id, call.id],
  ]
  return (
    <dl className={styles.values}>
      {facts
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

function RelatedCall({ label, link, id }: { label: string; link: string; id: string | undefined }) {
  if (id === undefined) return null
  return (
    <Text size="sm">
      {label} <RouterLink to={`/activity/calls/${id}`}>{link}</RouterLink>
    </Text>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {title}
      </Title>
      {children}
    </div>
  )
}
