import { VisuallyHidden } from '@mantine/core'
import { tooltipOf } from '../../keys/tooltip.ts'
import frame from '../inbox/inbox.module.css'
import { splits, type MailView } from './splits.ts'
import { mailTexts as t } from './texts.ts'
import { splitCommands } from './useTriage.ts'
import type { LoadedThreads } from './useThreads.ts'

interface MailBarProps {
  view: MailView
  show: (view: MailView) => void
  counts: LoadedThreads['counts']
}

/** Views to choose from: the splits with their number of conversations, and the outbox. */
export function MailBar({ view, show, counts }: MailBarProps) {
  return (
    <header className={frame.bar}>
      <h1>{t.mailbox.title}</h1>
      <nav className={frame.tabs} aria-label={t.mailbox.which}>
        {splits.map((name) => (
          <button
            key={name}
            type="button"
            className={frame.tab}
            aria-current={name === view || undefined}
            title={tooltipOf(splitCommands[name])}
            onClick={() => show(name)}
          >
            {t.mailbox.splits[name]}
            {counts[name] > 0 && <span className={frame.tabCount}> {counts[name]}</span>}
          </button>
        ))}
        <button
          type="button"
          className={frame.tab}
          aria-current={view === 'outbox' || undefined}
          title={tooltipOf('mail.outbox')}
          onClick={() => show('outbox')}
        >
          {t.handling.outbox.title}
        </button>
      </nav>
      {view !== 'outbox' && (
        <VisuallyHidden role="status">{t.mailbox.count(counts[view])}</VisuallyHidden>
      )}
    </header>
  )
}
