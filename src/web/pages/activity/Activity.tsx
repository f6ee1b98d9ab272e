import { Box, Button, Group, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconActivity, IconFilterOff } from '@tabler/icons-react'
import { Outlet, useParams } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { useIsAdmin } from '../../session/session.ts'
import { activityTexts as t } from './texts.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, Loading, Problem } from '../../ui/states.tsx'
import styles from './activity.module.css'
import { CallList } from './calls/CallList.tsx'
import { streamOf, useFilter } from './filter.ts'
import { Filters } from './Filters.tsx'
import { Holds } from './approvals/Holds.tsx'
import { KeysHelp } from './KeysHelp.tsx'
import { Tabs } from './Tabs.tsx'
import { useCallLog } from './calls/useCallLog.ts'

/** Maximum scroll offset at which new calls are inserted directly, in pixels. */
const nearTopPx = 240

/** The live call log, with the selected call beside it, or over it on small screens. */
export function Activity() {
  const [filter, change, clear] = useFilter()
  const { id } = useParams({ strict: false }) as { id?: string }
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const isAdmin = useIsAdmin()
  const isAtTop = useCallback(() => window.scrollY < nearTopPx, [])
  const top = useRef<HTMLDivElement>(null)
  const log = useCallLog(filter, isAtTop)
  const text = t.activity
  const isFiltered = Object.keys(filter).some((name) => name !== 'of')
  const revealNewCalls = () => {
    log.show()
    window.scrollTo({ top: 0 })
  }
  return (
    <Page
      title={text.title}
      description={filter.of === 'organization' ? text.aboutAll : text.about}
      isWide
      actions={isAdmin && <CallScopeControl scope={filter.of} change={change} />}
    >
      <Tabs activeTab="log" />
      <Holds stream={streamOf(filter)} />
      <Filters filter={filter} change={change} clear={clear} />
      <div ref={top} className={id !== undefined && isWide ? styles.withPanel : styles.place}>
        <Box miw={0}>
          <div role="status" className={styles.fresh}>
            {log.waitingCount > 0 && (
              <Button size="compact-sm" radius="xl" onClick={revealNewCalls}>
                {text.fresh(log.waitingCount)}
              </Button>
            )}
          </div>
          <Calls
            log={log}
            openId={id}
            withPeople={filter.of === 'organization'}
            clear={isFiltered ? clear : undefined}
          />
        </Box>
        <Outlet />
      </div>
      <Group visibleFrom="sm">
        <KeysHelp />
      </Group>
    </Page>
  )
}

type ChangeFilter = ReturnType<typeof useFilter>[1]

function CallScopeControl({
  scope = 'me',
  change,
}: {
  scope?: string | undefined
  change: ChangeFilter
}) {
  const text = t.activity.whose
  return (
    <SegmentedControl
      aria-label={text.label}
      size="xs"
      value={scope}
      onChange={(value) =>
        change({
          of: value === 'me' ? undefined : 'organization',
          person: undefined,
          key: undefined,
        })
      }
      data={[
        { value: 'me', label: text.me },
        { value: 'organization', label: text.organization },
      ]}
    />
  )
}

interface CallsProps {
  log: ReturnType<typeof useCallLog>
  openId: string | undefined
  withPeople: boolean
  /** Clears the filter; undefined if there is none. */
  clear: (() => void) | undefined
}

/** The calls, or why none are shown. */
function Calls({ log, openId, withPeople, clear }: CallsProps) {
  if (log.error && log.calls.length === 0)
    return <Problem error={log.error} retry={() => void log.refetch()} />
  if (log.isPending) return <Loading />
  if (log.calls.length > 0 || log.hasNextPage)
    return <CallList log={log} openId={openId} withPeople={withPeople} />
  return clear ? <NothingFound clear={clear} /> : <NoCalls />
}

function NothingFound({ clear }: { clear: () => void }) {
  const text = t.activity.nothing
  return (
    <EmptyState
      icon={IconFilterOff}
      title={text.title}
      text={text.text}
      action={
        <Button variant="default" onClick={clear}>
          {text.action}
        </Button>
      }
    />
  )
}

function NoCalls() {
  const text = t.activity.empty
  return (
    <EmptyState
      icon={IconActivity}
      title={text.title}
      text={text.text}
      action={
        <Button component={RouterLink} to="/settings/integrations/api-keys">
          {text.action}
        </Button>
      }
    />
  )
}
