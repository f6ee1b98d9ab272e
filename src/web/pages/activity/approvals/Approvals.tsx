import { Button, SegmentedControl, Stack } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { get } from '../../../api/client.ts'
import { activityTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { ApprovalCard } from './ApprovalCard.tsx'
import { TakenOverMail } from './TakenOver.tsx'
import { usePendingApprovals, type Approval } from './approvals.ts'

/** Calls that wait for the signed-in person, and past decisions. */
export function Approvals() {
  const text = t.activity.approvals
  const { show } = useSearch({ strict: false }) as { show?: string }
  const navigate = useNavigate()
  const isHistory = show === 'decided'
  return (
    <Page title={text.title} description={text.about}>
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
      {isHistory ? <DecidedApprovals /> : <PendingApprovals />}
      <TakenOverMail />
    </Page>
  )
}

function PendingApprovals() {
  const text = t.activity.approvals
  const pendingApprovals = usePendingApprovals()
  return (
    <QueryContent query={pendingApprovals}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState icon={IconChecklist} title={text.empty.title} text={text.empty.text} />
        ) : (
          <Cards approvals={items} />
        )
      }
    </QueryContent>
  )
}

function DecidedApprovals() {
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
    getNextPageParam: (lastPage) => lastPage.next_cursor,
  })
  return (
    <QueryContent query={pastApprovals}>
      {({ pages }) => {
        const items = pages
          .flatMap((page) => page.items)
          .filter((approval) => approval.state !== 'pending')
        if (items.length === 0 && !pastApprovals.hasNextPage)
          return (
            <EmptyState
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
    </QueryContent>
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
