import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { maxLiveChars } from '../../../kernel/text/text-changes.ts'
import { get } from '../../api/client.ts'
import { useOperation } from '../../api/queries.ts'
import { LiveText } from '../../editor/live/live-text.ts'
import { useSignedIn } from '../../session/session.ts'
import { QueryContent } from '../../ui/states.tsx'
import type { CompletedPage } from './completion.ts'
import { draftKey, editorKey, lockDraft, claimDraft, type PageDraft } from './drafts.ts'
import { LiveEditor } from './live/LiveEditor.tsx'
import { LongText } from './LongText.tsx'

interface Props {
  page: CompletedPage
  close: () => void
}

/** Initial state of an editor; `release` lets another tab take over the draft. */
interface DraftEditor {
  draft: PageDraft
  isLive: boolean
  release: () => void
}

/** The text of a page during editing: from this browser's unsent changes, else from the server. */
export function PageEditor({ page, close }: Props) {
  const { person } = useSignedIn()
  const editorQuery = useQuery({
    queryKey: ['editor', person.id, page.id],
    queryFn: () => openText(person.id, page.id),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    networkMode: 'always',
  })
  return (
    <QueryContent query={editorQuery}>
      {(editor) => <DraftEditor editor={editor} page={page} close={close} />}
    </QueryContent>
  )
}

async function openText(personId: string, pageId: string): Promise<DraftEditor> {
  const claimed = await claimDraft(personId, pageId)
  if (claimed) {
    const { draft, release } = claimed
    const { base, revision, text = new LiveText(base, revision, draft).text } = draft
    const hasLongSave = draft.key === draftKey(personId, pageId) && draft.sent !== undefined // a save of a long text
    const isLive = !hasLongSave && Math.max(base.length, text.length) <= maxLiveChars
    return { draft: { ...draft, text }, isLive, release }
  }
  const {
    body_markdown: text,
    revision,
    is_live,
  } = await get('/web/pages/:id/live', { id: pageId })
  const key = is_live ? editorKey(personId, pageId) : draftKey(personId, pageId)
  const release = (await lockDraft(key)) ?? (() => {})
  return { draft: { key, base: text, revision, text }, isLive: is_live, release }
}

function DraftEditor({
  editor: { draft, isLive, release },
  ...props
}: Props & { editor: DraftEditor }) {
  useEffect(() => release, [release])
  return isLive ? <LiveEditor draft={draft} {...props} /> : <LongPage draft={draft} {...props} />
}

function LongPage({ page: { id }, draft, close }: Props & { draft: PageDraft }) {
  const pageQuery = useOperation('get_page', { page_id: id })
  return (
    <QueryContent query={pageQuery}>
      {({ title, visibility, revision, body_markdown: text = '' }) => (
        <LongText page={{ id, title, visibility, revision, text }} draft={draft} close={close} />
      )}
    </QueryContent>
  )
}
