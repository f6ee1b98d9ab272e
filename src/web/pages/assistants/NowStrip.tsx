import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { get } from '../../api/client.ts'
import { useStream } from '../../api/live.ts'
import { useSignedIn } from '../../session/session.ts'
import { onEvent, type ServerEvent } from '../../store/index.ts'
import { Ago } from '../../ui/times.tsx'
import { Face } from '../../ui/work/Who.tsx'
import { describeCall, type ApiCall } from '../activity/calls/calls.ts'
import { useKeyActions } from './actions.ts'
import styles from './assistants.module.css'
import { assistantTexts as t } from './texts.ts'
import { isWorking, usePeriodicRerender } from './latest-calls.ts'

/** An assistant working on an item. */
interface Work {
  /** The key, for the reader's own assistants; for others, the owner. */
  id: string
  name: string
  action: string
  at: string
  isOwn: boolean
}

/**
 * Assistants currently working on an item, and how to stop them. For the reader's own keys, shows reads and changes;
 * for others' keys, only changes visible to everyone who can see the item.
 */
export function NowStrip({ itemId }: { itemId: string }) {
  usePeriodicRerender()
  const [pausedIds, setPausedIds] = useState<ReadonlySet<string>>(new Set())
  const currentWork = [...useWorkOn(itemId).values()].filter(
    (work) => isWorking(work.at) || pausedIds.has(work.id),
  )
  const markPaused = (id: string, isPaused: boolean) => {
    const next = new Set(pausedIds)
    if (isPaused) next.add(id)
    else next.delete(id)
    setPausedIds(next)
  }
  if (currentWork.length === 0) return null
  return (
    <div role="status" aria-label={t.assistants.strip}>
      {currentWork.map((work) => (
        <RunningWorkLine
          key={work.id}
          work={work}
          isPaused={pausedIds.has(work.id)}
          markPaused={markPaused}
        />
      ))}
    </div>
  )
}

interface LineProps {
  work: Work
  isPaused: boolean
  markPaused: (id: string, isPaused: boolean) => void
}

function RunningWorkLine({ work, isPaused, markPaused }: LineProps) {
  const { pause, resume } = useKeyActions()
  const toggle = async () => {
    await (isPaused ? resume(work) : pause(work))
    markPaused(work.id, !isPaused)
  }
  return (
    <div className={styles.strip}>
      <Face id={work.id} name={work.name} kind="assistant" size={20} />
      <strong dir="auto">{work.name}</strong>
      <span>{isPaused ? t.assistants.isPaused : work.action}</span>
      {!isPaused && <span className={styles.pulse} aria-hidden />}
      <span className={styles.note}>
        <Ago time={work.at} />
      </span>
      {work.isOwn && (
        <button
          type="button"
          className={styles.button}
          aria-label={isPaused ? t.assistants.resumeOf(work.name) : t.assistants.pauseOf(work.name)}
          onClick={() => void toggle()}
        >
          {isPaused ? (
            <IconPlayerPlayFilled size={12} aria-hidden />
          ) : (
            <IconPlayerPauseFilled size={12} aria-hidden />
          )}
          {isPaused ? t.assistants.resume : t.assistants.pause}
        </button>
      )}
    </div>
  )
}

/** Recent work on an item, by assistant. */
function useWorkOn(itemId: string): ReadonlyMap<string, Work> {
  const { person } = useSignedIn()
  const [liveWork, setLiveWork] = useState<ReadonlyMap<string, Work>>(new Map())
  const add = (work: Work) => setLiveWork((previous) => new Map(previous).set(work.id, work))
  const { data, refetch } = useQuery({
    queryKey: ['latest-calls'],
    queryFn: ({ signal }) => get('/web/activity', { of: 'me', source: 'keys', limit: 100 }, signal),
  })
  useStream(
    '/web/activity/stream',
    'call',
    (entry) => {
      const work = workOf(entry as ApiCall, itemId)
      if (work) add(work)
    },
    () => void refetch(),
  )
  useEffect(
    () =>
      onEvent((event) => {
        const work = workOfOthers(event, itemId, person.id)
        if (work) setLiveWork((previous) => new Map(previous).set(work.id, work))
      }),
    [itemId, person.id],
  )
  const workById = new Map(liveWork)
  for (const call of data?.items ?? []) {
    const work = workOf(call, itemId)
    const latest = work && workById.get(work.id)
    if (work && (!latest || latest.at < work.at)) workById.set(work.id, work)
  }
  return workById
}

/** A call of the reader's own key that names the item. */
function workOf(call: ApiCall, itemId: string): Work | undefined {
  const { key, items, at } = call
  if (key.id === '' || !items.some((item) => item.id === itemId)) return undefined
  return { id: key.id, name: key.title, action: describeCall(call), at, isOwn: true }
}

/** A change of the item by another person's key. */
function workOfOthers({ item, key, event, at }: ServerEvent, itemId: string, readerId: string) {
  if (item?.id !== itemId || !key || key.owner.id === readerId) return undefined
  return {
    id: key.owner.id,
    name: t.assistants.ofOwner(key.owner.title),
    action: t.assistants.changed(event),
    at: at ?? new Date().toISOString(),
    isOwn: false,
  }
}
