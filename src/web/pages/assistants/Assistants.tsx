import { Switch } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useEndpoint } from '../../api/queries.ts'
import { useCommands } from '../../keys/commands.ts'
import { useIsAdmin } from '../../session/session.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import { MoreButton } from '../../ui/actions/MoreButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../ui/states.tsx'
import { useRowKeys } from '../../ui/work/row-keys.ts'
import type { ApiCall } from '../activity/calls/calls.ts'
import { usePendingApprovals } from '../activity/approvals/approvals.ts'
import { isUsableKey, useKeys, type Key, type KeyScope } from '../keys/keys.ts'
import { AssistantCard } from './AssistantCard.tsx'
import styles from './assistants.module.css'
import { assistantTexts as t } from './texts.ts'
import { isWorking, useLatestCalls, usePeriodicRerender } from './latest-calls.ts'

/** A person's keys and connections as colleagues; administrators also see those of the organization. */
export function Assistants() {
  const isAdmin = useIsAdmin()
  const [scope, setScope] = useState<KeyScope>('me')
  const keys = useKeys(scope)
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  useCommands({ 'assistant.pause': pauseFocused })
  return (
    <Page
      isWide
      title={t.assistants.title}
      description={t.assistants.about}
      actions={
        <RouterLink to="/settings/integrations/api-keys" className={styles.button}>
          {t.assistants.manage}
        </RouterLink>
      }
    >
      {isAdmin && (
        <Switch
          label={t.assistants.everyone}
          checked={scope === 'organization'}
          onChange={(event) => setScope(event.currentTarget.checked ? 'organization' : 'me')}
        />
      )}
      <QueryContent query={keys}>
        {(all) => (
          <div ref={list} className={styles.list}>
            <Cards keys={all.filter(isUsableKey)} scope={scope} />
          </div>
        )}
      </QueryContent>
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

const refetchDelayMs = 2000

/** Usage of the current day; refetched shortly after an assistant has acted. */
function useTodaysUsage(scope: KeyScope, latestCalls: ReadonlyMap<string, ApiCall>) {
  const usage = useEndpoint('/web/usage', { of: scope, days: 1 })
  const { refetch } = usage
  const newestAt = [...latestCalls.values()]
    .map((call) => call.at)
    .sort()
    .at(-1)
  useEffect(() => {
    if (newestAt === undefined) return
    const timer = setTimeout(() => void refetch(), refetchDelayMs)
    return () => clearTimeout(timer)
  }, [newestAt, refetch])
  return usage
}

function Cards({ keys, scope }: { keys: readonly Key[]; scope: KeyScope }) {
  usePeriodicRerender()
  const latestCalls = useLatestCalls()
  const usage = useTodaysUsage(scope, latestCalls)
  const approvals = usePendingApprovals().data?.items ?? []
  if (keys.length === 0)
    return (
      <EmptyState
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
  const lastActiveAt = (key: Key) => latestCalls.get(key.id)?.at ?? key.last_used_at ?? ''
  const sorted = keys.toSorted((a, b) => (lastActiveAt(a) < lastActiveAt(b) ? 1 : -1))
  const workingCount = sorted.filter((key) => key.is_own && isWorking(lastActiveAt(key))).length
  return (
    <>
      <p className={styles.count} role="status">
        {t.assistants.count(keys.length, workingCount)}
      </p>
      {sorted.map((key) => (
        <AssistantCard
          key={key.id}
          apiKey={key}
          latestCall={latestCalls.get(key.id)}
          today={usage.data?.by_key.find((tally) => tally.key_id === key.id)}
          waitingCount={approvals.filter((approval) => approval.key?.id === key.id).length}
        />
      ))}
    </>
  )
}
