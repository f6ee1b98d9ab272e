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
  of: Key
  /** Its last call; available only for the reader's own keys. */
  latest: ApiCall | undefined
  today: Today | undefined
  /** Calls that wait for the reader's approval. */
  waiting: number
}

/** A key or connection presented as a colleague: its current and past work, its rights, and how to stop it. */
export function AssistantCard({ of, latest, today, waiting }: AssistantCardProps) {
  const atWork = latest !== undefined && isWorking(latest.at) && of.state === 'active'
  return (
    <article className={styles.card} aria-label={of.name} data-working={atWork || undefined}>
      <Face id={of.id} name={of.name} kind="assistant" size={32} />
      <div className={styles.about}>
        <header>
          <AppLink
            to={`/settings/integrations/api-keys/${of.id}`}
            className={styles.name}
            dir="auto"
            data-row
            data-key={of.id}
          >
            {of.name}
          </AppLink>
          {of.state !== 'active' && <StateBadge state={of.state} />}
          {!of.is_own && <span className={styles.note}>{t.keys.ownedBy(of.owner.name)}</span>}
        </header>
        <Work of={of} latest={latest} atWork={atWork} />
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
          <dd>{mayWords(of).join(' · ')}</dd>
        </dl>
      </div>
      <AssistantActions of={of} />
    </article>
  )
}

interface WorkProps {
  of: Key
  latest: ApiCall | undefined
  atWork: boolean
}

function Work({ of, latest, atWork }: WorkProps) {
  if (!latest)
    return (
      <p className={styles.work}>
        {of.last_used_at === undefined ? (
          t.keys.unused
        ) : (
          <>
            {t.keys.used} <Ago at={of.last_used_at} />
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

function AssistantActions({ of }: { of: Key }) {
  const revoke = useRevoke()
  const { pause, resume, narrow } = useKeyActions()
  const isPaused = of.state === 'paused'
  const narrowings = (
    [
      ['read_only', of.read_only],
      ['hold_outbound', of.hold_outbound],
      ['no_admin', !of.admin],
    ] as const
  ).flatMap(([name, isSo]): LostRight[] => (isSo ? [] : [name]))
  return (
    <div className={styles.actions}>
      {(of.state === 'active' || isPaused) && (
        <button
          type="button"
          className={styles.button}
          data-pause={of.id}
          aria-label={isPaused ? t.assistants.resumeOf(of.name) : t.assistants.pauseOf(of.name)}
          onClick={() => void (isPaused ? resume(of) : pause(of))}
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
              aria-label={t.assistants.narrowOf(of.name)}
            >
              <IconShieldMinus size={15} stroke={1.7} aria-hidden />
              {t.assistants.narrowLabel}
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {narrowings.map((name) => (
              <Menu.Item key={name} onClick={() => void narrow(of, name)}>
                {t.assistants.narrowings[name]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <button
        type="button"
        className={styles.button}
        aria-label={t.keys.revoke.label(of.name)}
        title={t.keys.revoke.action}
        onClick={() => void revoke(of)}
      >
        <IconTrash size={15} stroke={1.7} aria-hidden />
      </button>
    </div>
  )
}
