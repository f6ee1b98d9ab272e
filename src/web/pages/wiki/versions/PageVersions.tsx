import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Output } from '../../../api/client.ts'
import { useList, useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { ItemIcon } from '../../../ui/ItemLink.tsx'
import { NotFound } from '../../../ui/NotFound.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Loading } from '../../../ui/states.tsx'
import { Loaded } from '../../items/Found.tsx'
import { VersionList, versionPath } from './VersionList.tsx'
import { VersionView } from './VersionView.tsx'
import styles from './versions.module.css'

/** The versions of a page: author, time, changes, and how to restore one. */
export function PageVersions() {
  const { of: pageId, id } = useParams({ strict: false }) as { of: string; id?: string }
  const page = useOperation('get_page', { page_id: pageId, outline_only: true })
  return (
    <Loaded query={page}>{(currentPage) => <Versions page={currentPage} versionId={id} />}</Loaded>
  )
}

type WikiPage = Output<'get_page'>

function Versions({ page, versionId }: { page: WikiPage; versionId: string | undefined }) {
  const versions = useList('list_page_versions', { page_id: page.id, limit: 50 })
  const { items, hasNextPage, isFetchingNextPage, fetchNextPage } = versions
  const index = versionId === undefined ? 0 : items.findIndex(({ id }) => id === versionId)
  const [selected, previous] = index === -1 ? [] : items.slice(index, index + 2)
  // A version is compared with the previous one, and a linked version may be further down.
  const lacksRows = hasNextPage && previous === undefined
  useEffect(() => {
    if (lacksRows && !isFetchingNextPage && !versions.isFetchNextPageError) void fetchNextPage()
  }, [lacksRows, isFetchingNextPage, fetchNextPage, versions.isFetchNextPageError])
  useVersionKeys(page.id, items, index)
  return (
    <Page
      isWide
      title={wiki.versions.of(page.title)}
      crumb={
        <span className="crumb">
          <ItemIcon type="page" size={15} />
          {wiki.versions.title}
        </span>
      }
      actions={<AppLink to={`/pages/${page.id}`}>{wiki.versions.back}</AppLink>}
    >
      <Loaded query={versions}>
        {() => (
          <div className={styles.screen} data-chosen={versionId !== undefined || undefined}>
            <VersionList
              pageId={page.id}
              versions={items}
              selectedId={selected?.id}
              query={versions}
            />
            <div className={styles.view}>
              <AppLink to={`/pages/${page.id}/versions`} className={styles.all}>
                {wiki.versions.all}
              </AppLink>
              {selected && !lacksRows && (
                <VersionView page={page} version={selected} previous={previous} />
              )}
              {lacksRows && <Loading />}
              {!selected && !lacksRows && <NotFound />}
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** `j` and `k` move to the version below and above, Escape to the page. */
function useVersionKeys(pageId: string, items: readonly { id: string }[], index: number): void {
  const navigate = useNavigate()
  const move = (step: number) => () => {
    const next = items[index + step]
    if (next) void navigate({ to: versionPath(pageId, next.id), replace: true })
  }
  useCommands({
    'list.next': move(1),
    'list.previous': move(-1),
    'list.back': () => void navigate({ to: `/pages/${pageId}` }),
  })
}
