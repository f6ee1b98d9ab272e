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
import { didWhat, whyNot, type ApiCall } from '../activity/calls/calls.ts'
import { areaName } from '../keys/create/Areas.tsx'
import { StateBadge } from '../keys/KeyRow.tsx'
import { useRevoke, type Key } from '../keys/keys.ts'
import { useKeyActions, type LostRight } from './actions.ts'
import styles from './assistants.module.css'
import { assistantTexts as t } from './texts.ts'
import { isWorking } from './latest-calls.ts'

interface Today {
  calls: number
  errors: number
  denied: number
}

interface AssistantCardProps {
  apiKey: Key
  /** Its last call; available only for the reader's own keys. */
  latest: ApiCall | undefined
  today: Today | undefined
  /** Calls that wait for the reader's approval. */
  waiting: number
}

/** A key or connection presented as a colleague: its current and past work, its rights, and how to stop it. */
export function AssistantCard({ apiKey, latest, today, waiting }: AssistantCardProps) {
  const atWork = latest !== undefined && isWorking(latest.at) && apiKey.state === 'active'
  return (
    <article className={styles.card} aria-label={apiKey.name} data-working={atWork || undefined}>
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
        <Work apiKey={apiKey} latest={latest} atWork={atWork} />
        <dl className={styles.facts}>
          <dt>{t.assistants.today}</dt>
          <dd>{todayWords(today)}</dd>
          {waiting > 0 && (
            <>
              <dt>{t.assistants.waits}</dt>
              <dd>
                <AppLink to="/inbox">{t.assistants.waiting(waiting)}</AppLink>
              </dd>
            </>
          )}
          <dt>{t.assistants.may}</dt>
          <dd>{mayWords(apiKey).join(' · ')}</dd>
        </dl>
      </div>
      <AssistantActions apiKey={apiKey} />
    </article>
  )
}

interface WorkProps {
  apiKey: Key
  latest: ApiCall | undefined
  atWork: boolean
}

function Work({ apiKey, latest, atWork }: WorkProps) {
  if (!latest)
    return (
      <p className={styles.work}>
        {apiKey.last_used_at === undefined ? (
          t.keys.unused
        ) : (
          <>
            {t.keys.used} <Ago at={apiKey.last_used_at} />
          </>
        )}
      </p>
    )
  const [item] = latest.items
  const why = whyNot(latest)
  return (
    <p className={styles.work}>
      {atWork && <span className={styles.pulse} aria-hidden />}
      <span>
        {atWork ? t.assistants.now : t.assistants.last} {didWhat(latest)}
      </span>
      {item && <ItemLink item={item} />}
      {why && <span>({why})</span>}
      <span className={styles.note}>
        <Ago at={latest.at} />
      </span>
    </p>
  )
}

function todayWords(today: Today | undefined): string {
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

function mayWords({ read_only, toolsets, hold_outbound, admin, is_own }: Key): string[] {
  const { mays } = t.assistants
  const what = toolsets?.map((name) => areaName(name.replace(/:ro$/, ''))).join(', ')
  const all = is_own ? mays.everything : mays.everythingOfOwner
  return [
    read_only ? mays.reads(what ?? all) : mays.changes(what ?? all),
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
  ).flatMap(([name, isSo]): LostRight[] => (isSo ? [] : [name]))
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
