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
import { Shown } from '../../../ui/states.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { LineDiff } from './LineDiff.tsx'
import { LineAuthors } from './LineAuthors.tsx'
import { useText } from './version-text.ts'
import { VersionWho, type Version } from './VersionWho.tsx'
import styles from './versions.module.css'

const words = wiki.versions
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
  before: Version | undefined
}

/**
 * One version: its authors, its changes compared with the previous version or the current page, its text, and a
 * button to restore it.
 */
export function VersionView({ page, version, before }: Props) {
  const [mode, setMode] = useState<Mode>('changes')
  useCommands(Object.fromEntries(modeNames.map((name) => [modes[name], () => setMode(name)])))
  return (
    <article aria-label={words.version(version.number)} className={styles.article}>
      <header className={styles.head}>
        <h2>{words.version(version.number)}</h2>
        <VersionWho version={version} />
        <time dateTime={version.created_at} className={styles.quiet}>
          {formatMoment(version.created_at)}
        </time>
      </header>
      <div className={styles.bar}>
        <fieldset aria-label={words.show} className={styles.modes}>
          {modeNames.map((name) => (
            <Button
              key={name}
              size="xs"
              variant={name === mode ? 'light' : 'subtle'}
              aria-pressed={name === mode}
              onClick={() => setMode(name)}
              rightSection={<KeyCombo command={modes[name]} />}
            >
              {words.modes[name]}
            </Button>
          ))}
        </fieldset>
        <Restore page={page} version={version} />
      </div>
      {mode === 'changes' && <Changes version={version} before={before} />}
      {mode === 'now' && <AgainstNow page={page} version={version} />}
      {mode === 'text' && <VersionText key={version.id} version={version} />}
      {mode === 'authors' && <LineAuthors key={version.id} version={version} />}
    </article>
  )
}

/** Restores a version, if the reader may edit; *Undo* is in the notification. */
function Restore({ page, version }: { page: WikiPage; version: Version }) {
  const navigate = useNavigate()
  const mayRestore = (page.my_role === 'owner' || page.my_role === 'editor') && !version.current
  const restore = async () => {
    const { id, title } = page
    const renamed = { type: 'page' as const, id, set: { title: version.title } }
    const { state } = await write(
      'restore_page_version',
      { page_id: id, version_id: version.id },
      {
        rows: version.title === title ? [] : [renamed],
        text: words.restored(title, version.number),
      },
    )
    if (state === 'done') void navigate({ to: `/pages/${id}/versions` })
  }
  useCommands({ 'page.restore': mayRestore ? () => void restore() : undefined })
  if (!mayRestore) return null
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void restore()}
      rightSection={<KeyCombo command="page.restore" />}
    >
      {words.restore}
    </Button>
  )
}

function Changes({ version, before }: { version: Version; before: Version | undefined }) {
  const old = useText(before)
  const text = useText(version)
  const difference = (from: string) => (
    <Shown query={text}>
      {({ body_markdown: to = '' }) => (
        <>
          {before && <Title label={words.wasCalled} title={before.title} other={version.title} />}
          <LineDiff key={version.id} before={from} after={to} />
        </>
      )}
    </Shown>
  )
  if (!before) return difference('')
  return <Shown query={old}>{({ body_markdown: from = '' }) => difference(from)}</Shown>
}

function AgainstNow({
  page: { id, title, revision },
  version,
}: {
  page: WikiPage
  version: Version
}) {
  const text = useText(version)
  const now = useQuery({
    queryKey: ['page text', id, revision],
    queryFn: () => get('/web/pages/:id/live', { id }),
  })
  return (
    <Shown query={text}>
      {({ body_markdown: from = '' }) => (
        <Shown query={now}>
          {({ body_markdown: to }) => (
            <>
              <Title label={words.isCalledNow} title={title} other={version.title} />
              <LineDiff key={version.id} before={from} after={to} />
            </>
          )}
        </Shown>
      )}
    </Shown>
  )
}

function Title({ label, title, other }: { label: string; title: string; other: string }) {
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
  const text = useText(version)
  const [count, setCount] = useState(charsAtOnce)
  return (
    <Shown query={text}>
      {({ body_markdown: body = '' }) => (
        <>
          <Markdown text={body.slice(0, count)} under={2} />
          {body.length > count && (
            <Button size="xs" variant="default" onClick={() => setCount(count + charsAtOnce)}>
              {t.items.page.rest}
            </Button>
          )}
        </>
      )}
    </Shown>
  )
}
