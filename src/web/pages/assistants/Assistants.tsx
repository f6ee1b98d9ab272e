import { Switch } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useEndpoint } from '../../api/queries.ts'
import { useCommands } from '../../keys/commands.ts'
import { useIsAdmin } from '../../session/session.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import { MoreButton } from '../../ui/actions/MoreButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Shown } from '../../ui/states.tsx'
import { useRowKeys } from '../../ui/work/row-keys.ts'
import type { ApiCall } from '../activity/calls/calls.ts'
import { useWaiting } from '../activity/approvals/approvals.ts'
import { isUsableKey, useKeys, type Key, type Whose } from '../keys/keys.ts'
import { AssistantCard } from './AssistantCard.tsx'
import styles from './assistants.module.css'
import { assistantTexts as t } from './texts.ts'
import { isWorking, useLatestCalls, useTicking } from './latest-calls.ts'

/** A person's keys and connections as colleagues; administrators also see those of the organization. */
export function Assistants() {
  const isAdmin = useIsAdmin()
  const [whose, setWhose] = useState<Whose>('me')
  const keys = useKeys(whose)
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  useCommands({ 'assistant.pause': pauseFocused })
  return (
    <Page
      wide
      title={t.assistants.title}
      about={t.assistants.about}
      actions={
        <RouterLink to="/settings/integrations/api-keys" className={styles.button}>
          {t.assistants.manage}
        </RouterLink>
      }
    >
      {isAdmin && (
        <Switch
          label={t.assistants.everyone}
          checked={whose === 'organization'}
          onChange={(event) => setWhose(event.currentTarget.checked ? 'organization' : 'me')}
        />
      )}
      <Shown query={keys}>
        {(all) => (
          <div ref={list} className={styles.list}>
            <Cards keys={all.filter(isUsableKey)} whose={whose} />
          </div>
        )}
      </Shown>
      <MoreButton query={keys} />
    </Page>
  )
}

/** Pauses or resumes the assistant with the focused card. */
function pauseFocused(): boolean {
  const card = document.activeElement?.closest('article')
  const button = card?.querySelector<HTMLElement>('[data-pause]')
  button?.click()
  return button != null
}

const refetchMs = 2000

/** Usage of the current day; refetched shortly after an assistant has acted. */
function useTodaysUsage(whose: Whose, latest: ReadonlyMap<string, ApiCall>) {
  const usage = useEndpoint('/web/usage', { of: whose, days: 1 })
  const { refetch } = usage
  const newest = [...latest.values()]
    .map((call) => call.at)
    .sort()
    .at(-1)
  useEffect(() => {
    if (newest === undefined) return
    const timer = setTimeout(() => void refetch(), refetchMs)
    return () => clearTimeout(timer)
  }, [newest, refetch])
  return usage
}

function Cards({ keys, whose }: { keys: readonly Key[]; whose: Whose }) {
  useTicking()
  const latest = useLatestCalls()
  const usage = useTodaysUsage(whose, latest)
  const waiting = useWaiting().data?.items ?? []
  if (keys.length === 0)
    return (
      <Empty
        icon={IconRobot}
        title={t.assistants.empty.title}
        text={t.assistants.empty.text}
        action={
          <RouterLink to="/welcome" className={styles.button}>
            {t.assistants.empty.action}
          </RouterLink>
        }
      />
    )
  const lastAt = (key: Key) => latest.get(key.id)?.at ?? key.last_used_at ?? ''
  const sorted = keys.toSorted((a, b) => (lastAt(a) < lastAt(b) ? 1 : -1))
  const atWork = sorted.filter((key) => key.is_own && isWorking(lastAt(key))).length
  return (
    <>
      <p className={styles.count} role="status">
        {t.assistants.count(keys.length, atWork)}
      </p>
      {sorted.map((key) => (
        <AssistantCard
          key={key.id}
          apiKey={key}
          latest={latest.get(key.id)}
          today={usage.data?.by_key.find((tally) => tally.key_id === key.id)}
          waiting={waiting.filter((approval) => approval.key?.id === key.id).length}
        />
      ))}
    </>
  )
}
