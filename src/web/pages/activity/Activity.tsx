import { Box, Button, Group, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconActivity, IconFilterOff } from '@tabler/icons-react'
import { Outlet, useParams } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { useIsAdmin } from '../../session/session.ts'
import { t } from './texts.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import styles from './activity.module.css'
import { CallList } from './CallList.tsx'
import { streamOf, useFilter } from './filter.ts'
import { Filters } from './Filters.tsx'
import { Holds } from './Holds.tsx'
import { KeysHelp } from './KeysHelp.tsx'
import { Tabs } from './Tabs.tsx'
import { useCallLog } from './useCallLog.ts'

/** How far down one may be and still see new calls come in. */
const nearTop = 240

/** The call log, live; beside it, or over it where there is no room, the call that is looked at. */
export function Activity() {
  const [filter, change, clear] = useFilter()
  const { id } = useParams({ strict: false }) as { id?: string }
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const isAdmin = useIsAdmin()
  const isAtTop = useCallback(() => window.scrollY < nearTop, [])
  const top = useRef<HTMLDivElement>(null)
  const log = useCallLog(filter, isAtTop)
  const text = t.activity
  const isFiltered = Object.keys(filter).some((name) => name !== 'of')
  const showFresh = () => {
    log.show()
    window.scrollTo({ top: 0 })
  }
  return (
    <Page
      title={text.title}
      about={filter.of === 'organization' ? text.aboutAll : text.about}
      wide
      actions={
        isAdmin && (
          <SegmentedControl
            aria-label={text.whose.label}
            size="xs"
            value={filter.of ?? 'me'}
            onChange={(of) =>
              change({
                of: of === 'me' ? undefined : 'organization',
                person: undefined,
                key: undefined,
              } as never)
            }
            data={[
              { value: 'me', label: text.whose.me },
              { value: 'organization', label: text.whose.organization },
            ]}
          />
        )
      }
    >
      <Tabs here="log" />
      <Holds stream={streamOf(filter)} />
      <Filters filter={filter} change={change} clear={clear} />
      <div ref={top} className={id !== undefined && isWide ? styles.withPanel : styles.place}>
        <Box miw={0}>
          <div role="status" className={styles.fresh}>
            {log.waiting > 0 && (
              <Button size="compact-sm" radius="xl" onClick={showFresh}>
                {text.fresh(log.waiting)}
              </Button>
            )}
          </div>
          {log.error && log.calls.length === 0 ? (
            <Problem error={log.error} retry={() => void log.refetch()} />
          ) : log.isPending ? (
            <Loading />
          ) : log.calls.length === 0 && !log.hasNextPage ? (
            isFiltered ? (
              <Empty
                icon={IconFilterOff}
                title={text.nothing.title}
                text={text.nothing.text}
                action={
                  <Button variant="default" onClick={clear}>
                    {text.nothing.action}
                  </Button>
                }
              />
            ) : (
              <Empty
                icon={IconActivity}
                title={text.empty.title}
                text={text.empty.text}
                action={
                  <Button component={RouterLink} to="/settings/integrations/api-keys">
                    {text.empty.action}
                  </Button>
                }
              />
            )
          ) : (
            <CallList log={log} openId={id} withPeople={filter.of === 'organization'} />
          )}
        </Box>
        <Outlet />
      </div>
      <Group visibleFrom="sm">
        <KeysHelp />
      </Group>
    </Page>
  )
}
