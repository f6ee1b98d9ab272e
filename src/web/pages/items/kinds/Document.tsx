import { Anchor, Badge, Breadcrumbs, Button, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { call, type Output } from '../../../api/client.ts'
import { loadPart } from '../../../api/parts.ts'
import { useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { Loading, QueryContent } from '../../../ui/states.tsx'
import { formatDate } from '../../../ui/times.tsx'
import { Comments } from '../../wiki/comments/Comments.tsx'
import { renderedHeadings, OutlineButton } from '../../wiki/OutlineButton.tsx'
import { PageAuthors, PageText, selectedQuote } from '../../wiki/PageText.tsx'
import { PageActions } from '../../wiki/PageActions.tsx'
import {
  EditButton,
  PageTitle,
  useEditing,
  useDraftCleanup,
  VersionsButton,
} from '../../wiki/PageHead.tsx'
import { Links } from '../Facts.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { isMissing, Loaded } from '../Found.tsx'
import { ItemFrame } from '../Frame.tsx'
import { ItemSection } from '../Section.tsx'

const PageEditor = lazy(() =>
  loadPart(() => import('../../wiki/PageEditor.tsx')).then((item) => ({
    default: item.PageEditor,
  })),
)

export function Document() {
  const { id } = useParams({ strict: false }) as { id: string }
  const pages = useInfiniteQuery({
    queryKey: ['call', 'get_page', { page_id: id }, 'parts'],
    queryFn: ({ pageParam, signal }) =>
      call(
        'get_page',
        { page_id: id, max_chars: 100_000, ...(pageParam === 0 ? {} : { offset: pageParam }) },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last) => last.next_offset,
  })
  useDraftCleanup(id, isMissing(pages.error))
  return (
    <Loaded query={{ ...pages, data: pages.data?.pages }}>
      {([page, ...more]) =>
        page && (
          <DocumentPage
            page={page}
            text={[page, ...more].map((item) => item.body_markdown ?? '').join('')}
            rest={
              pages.hasNextPage && (
                <Button
                  variant="default"
                  loading={pages.isFetchingNextPage}
                  onClick={() => void pages.fetchNextPage()}
                >
                  {t.items.page.rest}
                </Button>
              )
            }
          />
        )
      }
    </Loaded>
  )
}

type WikiPage = Output<'get_page'>

const hasHeadings = /^[ >]*(?:#{1,6}[ \t]|=+[ \t]*$)/m

const titleWithIcon = ({ icon, title }: WikiPage) =>
  icon === undefined ? title : `${icon} ${title}`

function DocumentPage({ page, text, rest }: { page: WikiPage; text: string; rest: ReactNode }) {
  const canEdit = page.my_role === 'owner' || page.my_role === 'editor'
  const editing = useEditing(page.id, canEdit)
  const content = useRef<HTMLDivElement>(null)
  const [isAuthorsShown, setAuthorsShown] = useState(false)
  useCommands({ 'page.who': editing.isOpen ? undefined : () => setAuthorsShown(!isAuthorsShown) })
  const hasOutline = !isAuthorsShown && hasHeadings.test(text)
  const kind = page.kind !== 'page' && (
    <Badge variant="light" tt="none">
      {t.items.word(page.kind)}
    </Badge>
  )
  return (
    <ItemFrame
      type="page"
      title={titleWithIcon(page)}
      heading={canEdit ? <PageTitle page={page} /> : undefined}
      item={page}
      id={page.id}
      status={kind}
      beside={
        <Comments
          page={page}
          canComment={page.my_role !== 'viewer'}
          getSelection={() => selectedQuote(text, content.current)}
        />
      }
      actions={
        !editing.isOpen && (
          <>
            {hasOutline && (
              <OutlineButton isInMenu headings={() => renderedHeadings(content.current)} />
            )}
            <VersionsButton pageId={page.id} />
            <PageActions page={page} hasOutline={hasOutline} />
            {canEdit && <EditButton ref={editing.button} open={editing.open} />}
          </>
        )
      }
    >
      <PageOverview page={page} />
      {editing.isOpen ? (
        <Suspense fallback={<Loading />}>
          <PageEditor page={page} close={editing.close} />
        </Suspense>
      ) : (
        <>
          {isAuthorsShown ? (
            <PageAuthors pageId={page.id} />
          ) : (
            <PageText text={text} pageId={page.id} ref={content} />
          )}
          {rest}
        </>
      )}
      {page.backlinks && page.backlinks.length > 0 && (
        <ItemSection title={t.items.page.backlinks}>
          <Links items={page.backlinks} />
        </ItemSection>
      )}
      <Versions pageId={page.id} />
    </ItemFrame>
  )
}

function PageOverview({ page }: { page: Output<'get_page'> }) {
  return (
    <Stack gap="sm">
      {page.breadcrumb.length > 0 && (
        <Breadcrumbs>
          {page.breadcrumb.map((ancestor) => (
            <ItemLink key={ancestor.id} item={ancestor} withIcon={false} />
          ))}
        </Breadcrumbs>
      )}
      <Facts
        facts={[
          [t.items.field('owner'), <ItemLink item={page.owner} />],
          [t.items.field('project'), page.project && <ItemLink item={page.project} />],
          [t.items.field('labels'), page.labels.length > 0 && <Links items={page.labels} />],
          [
            t.items.field('publication'),
            page.publication && (
              <Anchor href={page.publication.public_url} size="sm">
                {page.publication.public_url}
              </Anchor>
            ),
          ],
        ]}
      />
    </Stack>
  )
}

function Versions({ pageId }: { pageId: string }) {
  const versions = useOperation('list_page_versions', { page_id: pageId, limit: 10 })
  return (
    <QueryContent query={versions}>
      {({ items }) =>
        items.length > 1 && (
          <ItemSection title={t.items.page.versions}>
            <Stack gap={4}>
              {items.map((pageVersion) => (
                <ItemLink
                  key={pageVersion.id}
                  withIcon={false}
                  item={{
                    id: pageVersion.id,
                    url: pageVersion.url,
                    title: `${t.items.page.version(pageVersion.number)} · ${pageVersion.author.title} · ${formatDate(pageVersion.created_at)}`,
                  }}
                />
              ))}
            </Stack>
          </ItemSection>
        )
      }
    </QueryContent>
  )
}
