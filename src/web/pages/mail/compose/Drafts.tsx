import { IconPencil, IconTrash } from '@tabler/icons-react'
import { call } from '../../../api/client.ts'
import { errorMessage } from '../../../api/problem.ts'
import { useOperation } from '../../../api/queries.ts'
import { notify } from '../../../store/index.ts'
import { PlainText } from '../../../ui/Outside.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { Face, isByAssistant } from '../../../ui/work/Who.tsx'
import { mailTexts as t } from '../texts.ts'
import styles from './compose.module.css'
import { addressText, type MailDraft } from './composition.ts'

const { compose } = t.mailbox

interface DraftsProps {
  threadId: string
  /** The draft being edited. */
  openId: string | undefined
  edit: (draft: MailDraft) => void
}

/** The drafts of a conversation, including those by assistants, with their sources. */
export function Drafts({ threadId, openId, edit }: DraftsProps) {
  const { data } = useOperation('list_email_drafts', { thread_id: threadId, limit: 20 })
  const drafts = (data?.items ?? []).filter(({ id, state }) => id !== openId && state === 'draft')
  return drafts.map((draft) => <DraftCard key={draft.id} draft={draft} edit={() => edit(draft)} />)
}

function DraftCard({ draft, edit }: { draft: MailDraft; edit: () => void }) {
  const discard = async () => {
    try {
      await call('delete_email_draft', { draft_id: draft.id })
    } catch (error) {
      notify({ text: compose.discard, problem: errorMessage(error), seconds: 0, actions: [] })
    }
  }
  return (
    <section className={styles.card} aria-label={compose.draft}>
      <header>
        <strong>{compose.draft}</strong>
        <span className={styles.quiet} dir="auto">
          {compose.draftTo(draft.to.map(addressText).join(', '))}
        </span>
        <time className={styles.quiet} dateTime={draft.updated_at}>
          {formatMoment(draft.updated_at)}
        </time>
      </header>
      {isByAssistant(draft.created_via) && <DraftAuthor draft={draft} />}
      <PlainText text={draft.body_markdown} />
      <div className={styles.cardTools}>
        <button type="button" className={styles.button} onClick={edit}>
          <IconPencil size={14} aria-hidden /> {compose.editDraft}
        </button>
        <button type="button" className={styles.button} onClick={() => void discard()}>
          <IconTrash size={14} aria-hidden /> {compose.discard}
        </button>
      </div>
    </section>
  )
}

/** Milliseconds before a draft within which items read by the assistant count as read for it. */
const readBeforeMs = 3600_000
const maxTitles = 6

/** Author of a draft, and the items that the assistant read for it. */
function DraftAuthor({ draft }: { draft: MailDraft }) {
  const writeCalls = useOperation('list_api_calls', { item_id: draft.id, kind: 'write', limit: 20 })
  const call = writeCalls.data?.items.findLast(({ status }) => status === 'ok')
  const writtenAtMs = Date.parse(call?.at ?? draft.created_at)
  const reads = useOperation(
    'list_api_calls',
    {
      key_id: call?.key.id ?? '',
      kind: 'read',
      after: new Date(writtenAtMs - readBeforeMs).toISOString(),
      before: new Date(writtenAtMs).toISOString(),
      limit: 50,
    },
    { enabled: call !== undefined },
  )
  if (!call) return null
  const titles = [
    ...new Set((reads.data?.items ?? []).flatMap(({ items }) => items.map(({ title }) => title))),
  ]
  const namedTitles = titles.slice(0, maxTitles).join(', ')
  const moreCount = titles.length - maxTitles
  return (
    <p className={styles.writer}>
      <Face id={call.key.id} name={call.key.title} kind="assistant" size={18} />
      <span dir="auto">
        {compose.by(call.key.title)}{' '}
        {reads.data &&
          (titles.length === 0
            ? compose.readNothing
            : compose.read(namedTitles, Math.max(0, moreCount)))}
      </span>
    </p>
  )
}
