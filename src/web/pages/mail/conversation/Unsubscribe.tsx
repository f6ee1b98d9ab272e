import { useState } from 'react'
import { call, type Output } from '../../../api/client.ts'
import { ApiError, errorMessage } from '../../../api/problem.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { focusOnMount } from '../../../ui/work/focus.ts'
import planning from '../../planning/planning.module.css'
import { personName } from '../correspondents.ts'
import { LinkedText } from '../LinkedText.tsx'
import styles from '../mail.module.css'
import { mailTexts as t } from '../texts.ts'
import type { ThreadMail } from '../useThread.ts'

type Outcome = Output<'unsubscribe_from_sender'>
const words = t.handling.leave

interface UnsubscribeProps {
  mail: ThreadMail
  close: () => void
}

/** Unsubscribes from a list after a confirmation, and reports the result. */
export function Unsubscribe({ mail, close }: UnsubscribeProps) {
  const [shouldArchive, setShouldArchive] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const [problem, setProblem] = useState<unknown>()
  const leave = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const input = { email_id: mail.id, archive_existing: shouldArchive }
      setOutcome(await call('unsubscribe_from_sender', input))
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog isOpen close={close} title={words.title(personName(mail.from))}>
      <form
        className={planning.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void leave()
        }}
      >
        {outcome ? (
          <UnsubscribeResult outcome={outcome} close={close} />
        ) : (
          <div className={styles.question}>
            <p>{words.text}</p>
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={shouldArchive}
                onChange={(event) => setShouldArchive(event.currentTarget.checked)}
              />
              {words.archive}
            </label>
            <Refusal problem={problem} sender={mail.from.email} />
            <button type="submit" className={planning.primary} disabled={isBusy} data-autofocus>
              {isBusy ? words.wait : words.action}
            </button>
          </div>
        )}
      </form>
    </Dialog>
  )
}

function UnsubscribeResult({ outcome, close }: { outcome: Outcome; close: () => void }) {
  const isRepeated = outcome.skipped.some(({ reason }) => reason === 'already_unsubscribed')
  const archived = outcome.changed - (isRepeated ? 0 : 1)
  return (
    <>
      <div role="status">
        <p>{isRepeated ? words.again : words.done}</p>
        {archived > 0 && <p>{words.archived(archived)}</p>}
        {outcome.failed.length > 0 && <p>{words.failed(outcome.failed.length)}</p>}
      </div>
      <div className={planning.choices}>
        <button type="button" className={planning.primary} onClick={close} ref={focusOnMount}>
          {t.app.close}
        </button>
      </div>
    </>
  )
}

/** Why unsubscribing does not work here, and what the reader can do instead. */
function Refusal({ problem, sender }: { problem: unknown; sender: string | undefined }) {
  if (problem === undefined) return null
  const link = problem instanceof ApiError ? problem.body.link : undefined
  return (
    <div role="alert">
      <p>{errorMessage(problem)}</p>
      {typeof link === 'string' ? (
        <>
          <p>{words.byHand}</p>
          <LinkedText text={link} />
        </>
      ) : (
        <RouterLink to={`/settings/mail/rules/new?from=${encodeURIComponent(sender ?? '')}`}>
          {words.rule}
        </RouterLink>
      )}
    </div>
  )
}
