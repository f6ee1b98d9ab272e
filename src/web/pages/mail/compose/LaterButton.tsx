import { IconClock } from '@tabler/icons-react'
import { tooltipOf } from '../../../keys/tooltip.ts'
import { LaterMenu } from '../../inbox/LaterMenu.tsx'
import { mailTexts as t } from '../texts.ts'
import styles from './compose.module.css'

interface LaterButtonProps {
  isSending: boolean
  /** Anchor of the list of moments while it is open. */
  whenAt: Element | undefined
  askWhen: (anchor: Element | undefined) => void
  send: (sendAt: Date) => Promise<void>
}

/** Sends the mail at a chosen moment. */
export function LaterButton({ isSending, whenAt, askWhen, send }: LaterButtonProps) {
  const { later } = t.handling.outbox
  return (
    <>
      <button
        type="button"
        className={styles.tool}
        aria-label={later}
        title={tooltipOf('text.sendLater', later)}
        disabled={isSending}
        onClick={(event) => askWhen(event.currentTarget)}
      >
        <IconClock size={16} aria-hidden />
      </button>
      {whenAt && (
        <LaterMenu
          anchor={whenAt}
          close={() => askWhen(undefined)}
          choose={(sendAt) => void send(sendAt)}
        />
      )}
    </>
  )
}
