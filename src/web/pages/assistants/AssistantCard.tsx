import { Menu } from '@mantine/core'
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconShieldMinus,
  IconTrash,
} from '@tabler/icons-react'
import { AppLink } from '../../ui/AppLink.tsx'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { Ago } from '../../ui/times.tsx'
import { Face } from '../../ui/work/Who.tsx'
import { describeCall, describeFailure, type ApiCall } from '../activity/calls/calls.ts'
import { areaName } from '../keys/create/Areas.tsx'
import { StateBadge } from '../keys/KeyRow.tsx'
import { useRevoke, type Key } from '../keys/keys.ts'
import { useKeyActions, type LostRight } from './actions.ts'
import styles from './assistants.module.css'
import { assistantTexts as t } from './texts.ts'
import { isWorking } from './latest-calls.ts'

interface TodayUsage {
  calls: number
  errors: number
  denied: number
}

interface AssistantCardProps {
  apiKey: Key
  /** Its last call; available only for the reader's own keys. */
  latestCall: ApiCall | undefined
  today: TodayUsage | undefined
  /** Number of calls that wait for the reader's approval. */
  waitingCount: number
}

/** A key or connection presented as a colleague: its current and past work, its rights, and how to stop it. */
export function AssistantCard({ apiKey, latestCall, today, waitingCount }: AssistantCardProps) {
  const isAtWork = latestCall !== undefined && isWorking(latestCall.at) && apiKey.state === 'active'
  return (
    <article className={styles.card} aria-label={apiKey.name} data-working={isAtWork || undefined}>
      <Face id={apiKey.id} name={apiKey.name} kind="assistant" size={32} />
      <div className={styles.about}>
        <header>
          <AppLink
            to={`/settings/integrations/api-keys/${apiKey.id}`}
            className={styles.name}
            dir="auto"
            data-row
            data-key={apiKey.id}
          >
            {apiKey.name}
          </AppLink>
          {apiKey.state !== 'active' && <StateBadge state={apiKey.state} />}
          {!apiKey.is_own && (
            <span className={styles.note}>{t.keys.ownedBy(apiKey.owner.name)}</span>
          )}
        </header>
        <Work apiKey={apiKey} latestCall={latestCall} isAtWork={isAtWork} />
        <dl className={styles.facts}>
          <dt>{t.assistants.today}</dt>
          <dd>{describeUsage(today)}</dd>
          {waitingCount > 0 && (
            <>
              <dt>{t.assistants.waits}</dt>
              <dd>
                <AppLink to="/inbox">{t.assistants.waiting(waitingCount)}</AppLink>
              </dd>
            </>
          )}
          <dt>{t.assistants.may}</dt>
          <dd>{describeRights(apiKey).join(' · ')}</dd>
        </dl>
      </div>
      <AssistantActions apiKey={apiKey} />
    </article>
  )
}

interface WorkProps {
  apiKey: Key
  latestCall: ApiCall | undefined
  isAtWork: boolean
}

function Work({ apiKey, latestCall, isAtWork }: WorkProps) {
  if (!latestCall)
    return (
      <p className={styles.work}>
        {apiKey.last_used_at === undefined ? (
          t.keys.unused
        ) : (
          <>
            {t.keys.used} <Ago time={apiKey.last_used_at} />
          </>
        )}
      </p>
    )
  const [item] = latestCall.items
  const failureText = describeFailure(latestCall)
  return (
    <p className={styles.work}>
      {isAtWork && <span className={styles.pulse} aria-hidden />}
      <span>
        {isAtWork ? t.assistants.now : t.assistants.last} {describeCall(latestCall)}
      </span>
      {item && <ItemLink item={item} />}
      {failureText && <span>({failureText})</span>}
      <span className={styles.note}>
        <Ago time={latestCall.at} />
      </span>
    </p>
  )
}

function describeUsage(today: TodayUsage | undefined): string {
  if (!today || today.calls === 0) return t.assistants.nothing
  const { calls, errors, denied } = today
  return [
    t.assistants.calls(calls),
    errors > 0 && t.assistants.failed(errors),
    denied > 0 && t.assistants.refused(denied),
  ]
    .filter((word) => word !== false)
    .join(', ')
}

function describeRights({ read_only, toolsets, hold_outbound, admin, is_own }: Key): string[] {
  const { mays } = t.assistants
  const areas = toolsets?.map((name) => areaName(name.replace(/:ro$/, ''))).join(', ')
  const everything = is_own ? mays.everything : mays.everythingOfOwner
  return [
    read_only ? mays.reads(areas ?? everything) : mays.changes(areas ?? everything),
    hold_outbound ? mays.asks : !read_only && mays.sends,
    admin && mays.admin,
  ].filter((word) => word !== false)
}

function AssistantActions({ apiKey }: { apiKey: Key }) {
  const revoke = useRevoke()
  const { pause, resume, narrow } = useKeyActions()
  const isPaused = apiKey.state === 'paused'
  const narrowings = (
    [
      ['read_only', apiKey.read_only],
      ['hold_outbound', apiKey.hold_outbound],
      ['no_admin', !apiKey.admin],
    ] as const
  ).flatMap(([name, isSet]): LostRight[] => (isSet ? [] : [name]))
  return (
    <div className={styles.actions}>
      {(apiKey.state === 'active' || isPaused) && (
        <button
          type="button"
          className={styles.button}
          data-pause={apiKey.id}
          aria-label={
            isPaused ? t.assistants.resumeOf(apiKey.name) : t.assistants.pauseOf(apiKey.name)
          }
          onClick={() => void (isPaused ? resume(apiKey) : pause(apiKey))}
        >
          {isPaused ? (
            <IconPlayerPlayFilled size={13} aria-hidden />
          ) : (
            <IconPlayerPauseFilled size={13} aria-hidden />
          )}
          {isPaused ? t.assistants.resume : t.assistants.pause}
        </button>
      )}
      {narrowings.length > 0 && (
        <Menu position="bottom-end" width={260} withinPortal>
          <Menu.Target>
            <button
              type="button"
              className={styles.button}
              aria-label={t.assistants.narrowOf(apiKey.name)}
            >
              <IconShieldMinus size={15} stroke={1.7} aria-hidden />
              {t.assistants.narrowLabel}
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {narrowings.map((name) => (
              <Menu.Item key={name} onClick={() => void narrow(apiKey, name)}>
                {t.assistants.narrowings[name]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <button
        type="button"
        className={styles.button}
        aria-label={t.keys.revoke.label(apiKey.name)}
        title={t.keys.revoke.action}
        onClick={() => void revoke(apiKey)}
      >
        <IconTrash size={15} stroke={1.7} aria-hidden />
      </button>
    </div>
  )
}
