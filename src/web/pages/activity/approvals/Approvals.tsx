import { Button, SegmentedControl, Stack } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { get } from '../../../api/client.ts'
import { activityTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { Empty, Shown } from '../../../ui/states.tsx'
import { ApprovalCard } from './ApprovalCard.tsx'
import { TakenOver } from './TakenOver.tsx'
import { useWaiting, type Approval } from './approvals.ts'

/** Calls that wait for the signed-in person, and past decisions. */
export function Approvals() {
  const text = t.activity.approvals
  const { show } = useSearch({ strict: false }) as { show?: string }
  const navigate = useNavigate()
  const isHistory = show === 'decided'
  return (
    <Page title={text.title} about={text.about}>
      <div>
        <SegmentedControl
          aria-label={text.tabs.label}
          size="xs"
          value={isHistory ? 'decided' : 'waiting'}
          onChange={(value) =>
            void navigate({
              to: '.',
              search: value === 'decided' ? { show: value } : {},
              replace: true,
            })
          }
          data={[
            { value: 'waiting', label: text.tabs.waiting },
            { value: 'decided', label: text.tabs.decided },
          ]}
        />
      </div>
      {isHistory ? <History /> : <Waiting />}
      <TakenOver />
    </Page>
  )
}

function Waiting() {
  const text = t.activity.approvals
  const waiting = useWaiting()
  return (
    <Shown query={waiting}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon={IconChecklist} title={text.empty.title} text={text.empty.text} />
        ) : (
          <Cards approvals={items} />
        )
      }
    </Shown>
  )
}

function History() {
  const text = t.activity.approvals
  const pastApprovals = useInfiniteQuery({
    queryKey: ['web', '/web/approvals', 'history'],
    queryFn: ({ pageParam, signal }) =>
      get(
        '/web/approvals',
        { pending: false, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  })
  return (
    <Shown query={pastApprovals}>
      {({ pages }) => {
        const items = pages
          .flatMap((page) => page.items)
          .filter((approval) => approval.state !== 'pending')
        if (items.length === 0 && !pastApprovals.hasNextPage)
          return (
            <Empty
              icon={IconChecklist}
              title={text.emptyDecided.title}
              text={text.emptyDecided.text}
            />
          )
        return (
          <Stack>
            <Cards approvals={items} />
            {pastApprovals.hasNextPage && (
              <Button
                variant="default"
                onClick={() => void pastApprovals.fetchNextPage()}
                loading={pastApprovals.isFetchingNextPage}
              >
                {t.app.more}
              </Button>
            )}
          </Stack>
        )
      }}
    </Shown>
  )
}

function Cards({ approvals }: { approvals: readonly Approval[] }) {
  return (
    <Stack component="section" aria-label={t.activity.approvals.list}>
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
    </Stack>
  )
}
