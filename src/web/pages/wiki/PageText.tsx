import { Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, type Ref } from 'react'
import { loadPart } from '../../api/parts.ts'
import { useOperation } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { Markdown } from '../../ui/Markdown.tsx'
import { selectedPassage } from '../../ui/source/source-map.ts'
import { Loading, QueryContent } from '../../ui/states.tsx'
import { passagesOf, usePageComments } from './comments/data.ts'
import type { Quote } from './comments/NewComment.tsx'
import { currentEditorSelection } from './comments/selection.ts'
import styles from './wiki.module.css'

const LineAuthors = lazy(() =>
  loadPart(() => import('./versions/LineAuthors.tsx')).then((part) => ({
    default: part.LineAuthors,
  })),
)

interface PageTextProps {
  text: string
  pageId: string
  ref: Ref<HTMLDivElement>
}

/** The rendered text of a page, with commented passages highlighted. */
export function PageText({ text, pageId, ref }: PageTextProps) {
  const { hash } = useLocation()
  const { items } = usePageComments(pageId)
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [hash, text])
  if (text.trim() === '')
    return (
      <Text c="dimmed" size="sm">
        {t.items.page.empty}
      </Text>
    )
  return (
    <div ref={ref} className={styles.read}>
      <Markdown text={text} hasAnchors passages={passagesOf(items)} />
    </div>
  )
}

/** The selected passage, in the editor or in the rendered text. */
export function selectedQuote(text: string, container: Element | null): Quote | undefined {
  const editorSelection = currentEditorSelection()
  if (editorSelection || !container) return editorSelection
  const range = selectedPassage(container, text)
  return range && { text: text.slice(range.start, range.end), start: range.start }
}

/** The lines of a page, each with its last author. */
export function PageAuthors({ pageId }: { pageId: string }) {
  const versions = useOperation('list_page_versions', { page_id: pageId, limit: 1 })
  return (
    <QueryContent query={versions}>
      {({ items: [version] }) =>
        version && (
          <Suspense fallback={<Loading />}>
            <LineAuthors key={version.id} version={version} />
          </Suspense>
        )
      }
    </QueryContent>
  )
}
