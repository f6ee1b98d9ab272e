import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { get, type Output } from '../../../api/client.ts'
import type { CommandId } from '../../../keys/keymap.ts'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { write } from '../../../store/index.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { t } from '../../../texts/index.ts'
import { Markdown } from '../../../ui/Markdown.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { LineDiff } from './LineDiff.tsx'
import { LineAuthors } from './LineAuthors.tsx'
import { useVersionText } from './version-text.ts'
import { VersionAuthors, type Version } from './VersionWho.tsx'
import styles from './versions.module.css'

const texts = wiki.versions
const modes = {
  changes: 'page.changes',
  now: 'page.againstNow',
  text: 'page.versionText',
  authors: 'page.authors',
} as const satisfies Record<string, CommandId>
type Mode = keyof typeof modes
const modeNames = Object.keys(modes) as Mode[]

type WikiPage = Output<'get_page'>

interface Props {
  page: WikiPage
  version: Version
  /** The previous version; undefined for the first. */
  previous: Version | undefined
}

/**
 * One version: its authors, its changes compared with the previous version or the current page, its text, and a
 * button to restore it.
 */
export function VersionView({ page, version, previous }: Props) {
  const [mode, setMode] = useState<Mode>('changes')
  useCommands(Object.fromEntries(modeNames.map((name) => [modes[name], () => setMode(name)])))
  return (
    <article aria-label={texts.version(version.number)} className={styles.article}>
      <header className={styles.head}>
        <h2>{texts.version(version.number)}</h2>
        <VersionAuthors version={version} />
        <time dateTime={version.created_at} className={styles.quiet}>
          {formatMoment(version.created_at)}
        </time>
      </header>
      <div className={styles.bar}>
        <fieldset aria-label={texts.show} className={styles.modes}>
          {modeNames.map((name) => (
            <Button
              key={name}
              size="xs"
              variant={name === mode ? 'light' : 'subtle'}
              aria-pressed={name === mode}
              onClick={() => setMode(name)}
              rightSection={<KeyCombo command={modes[name]} />}
            >
              {texts.modes[name]}
            </Button>
          ))}
        </fieldset>
        <Restore page={page} version={version} />
      </div>
      {mode === 'changes' && <Changes version={version} previous={previous} />}
      {mode === 'now' && <ChangesToCurrent page={page} version={version} />}
      {mode === 'text' && <VersionText key={version.id} version={version} />}
      {mode === 'authors' && <LineAuthors key={version.id} version={version} />}
    </article>
  )
}

/** Restores a version, if the reader may edit; *Undo* is in the notification. */
function Restore({ page, version }: { page: WikiPage; version: Version }) {
  const navigate = useNavigate()
  const canRestore = (page.my_role === 'owner' || page.my_role === 'editor') && !version.current
  const restore = async () => {
    const { id, title } = page
    const titleChange = { type: 'page' as const, id, set: { title: version.title } }
    const { state } = await write(
      'restore_page_version',
      { page_id: id, version_id: version.id },
      {
        rows: version.title === title ? [] : [titleChange],
        text: texts.restored(title, version.number),
      },
    )
    if (state === 'done') void navigate({ to: `/pages/${id}/versions` })
  }
  useCommands({ 'page.restore': canRestore ? () => void restore() : undefined })
  if (!canRestore) return null
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void restore()}
      rightSection={<KeyCombo command="page.restore" />}
    >
      {texts.restore}
    </Button>
  )
}

function Changes({ version, previous }: { version: Version; previous: Version | undefined }) {
  const previousText = useVersionText(previous)
  const text = useVersionText(version)
  const renderDiff = (from: string) => (
    <QueryContent query={text}>
      {({ body_markdown: to = '' }) => (
        <>
          {previous && (
            <OtherTitle label={texts.wasCalled} title={previous.title} other={version.title} />
          )}
          <LineDiff key={version.id} before={from} after={to} />
        </>
      )}
    </QueryContent>
  )
  if (!previous) return renderDiff('')
  return (
    <QueryContent query={previousText}>
      {({ body_markdown: from = '' }) => renderDiff(from)}
    </QueryContent>
  )
}

function ChangesToCurrent({
  page: { id, title, revision },
  version,
}: {
  page: WikiPage
  version: Version
}) {
  const text = useVersionText(version)
  const currentText = useQuery({
    queryKey: ['page text', id, revision],
    queryFn: () => get('/web/pages/:id/live', { id }),
  })
  return (
    <QueryContent query={text}>
      {({ body_markdown: from = '' }) => (
        <QueryContent query={currentText}>
          {({ body_markdown: to }) => (
            <>
              <OtherTitle label={texts.isCalledNow} title={title} other={version.title} />
              <LineDiff key={version.id} before={from} after={to} />
            </>
          )}
        </QueryContent>
      )}
    </QueryContent>
  )
}

function OtherTitle({ label, title, other }: { label: string; title: string; other: string }) {
  if (title === other) return null
  return (
    <p className={styles.quiet}>
      {label}: <strong dir="auto">{title}</strong>
    </p>
  )
}

/** Characters rendered at a time. */
const charsAtOnce = 100_000

function VersionText({ version }: { version: Version }) {
  const text = useVersionText(version)
  const [count, setCount] = useState(charsAtOnce)
  return (
    <QueryContent query={text}>
      {({ body_markdown: body = '' }) => (
        <>
          <Markdown text={body.slice(0, count)} parentLevel={2} />
          {body.length > count && (
            <Button size="xs" variant="default" onClick={() => setCount(count + charsAtOnce)}>
              {t.items.page.rest}
            </Button>
          )}
        </>
      )}
    </QueryContent>
  )
}
