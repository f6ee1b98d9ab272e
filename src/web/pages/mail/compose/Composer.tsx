import { IconTrash, IconX } from '@tabler/icons-react'
import {
  useEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
} from 'react'
import { call } from '../../../api/client.ts'
import { errorMessage } from '../../../api/problem.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { notify } from '../../../store/index.ts'
import { useUploads } from '../../chat/compose/useUploads.ts'
import { deleteDraft, readDraft, useDraft } from '../../../ui/work/kept-drafts.ts'
import { mailTexts as t } from '../texts.ts'
import styles from './compose.module.css'
import { doubtOf, problemOf, type Composition, type MailValues } from './composition.ts'
import { forwardLater, sendOut } from './delivery.ts'
import { AttachButton, Files } from './Files.tsx'
import { LaterButton } from './LaterButton.tsx'
import { Recipients } from './Recipients.tsx'
import { TemplateMenu, type TemplateText } from './TemplateMenu.tsx'
import { useTemplates } from './useTemplates.ts'
import { useDraftStorage, type StorageState } from './useDraftStorage.ts'

interface ComposerProps {
  composition: Composition
  /** Closes it: the text stays a draft. */
  close: () => void
  /** Reopens it after sending was undone. */
  reopen: (composition: Composition) => void
  saved: (draftId: string, values: MailValues) => void
}

const { compose } = t.mailbox

/** A mail being written. Saved continuously: in this browser, and from the first change as a draft on the server. */
export function Composer(props: ComposerProps) {
  const { composition, close } = props
  const mail = useMailForm(props)
  const { values, change } = mail
  const form = useRef<HTMLFormElement>(null)
  const { text, insert } = useTemplates(values, change)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [])
  return (
    <form
      ref={form}
      className={styles.composer}
      aria-label={compose.kinds[composition.kind]}
      {...handlersOf(mail, composition.kind, close)}
      onSubmit={(event) => {
        event.preventDefault()
        void mail.send()
      }}
    >
      <Recipients
        label={compose.to}
        addresses={values.to}
        change={(to) => change({ to })}
        autoFocus={values.to.length === 0}
      />
      <Recipients label={compose.cc} addresses={values.cc} change={(cc) => change({ cc })} />
      {composition.kind !== 'forward' && (
        <Recipients label={compose.bcc} addresses={values.bcc} change={(bcc) => change({ bcc })} />
      )}
      {composition.kind === 'new' && (
        <label className={styles.line}>
          <span>{compose.subject}</span>
          <input
            value={values.subject}
            maxLength={900}
            dir="auto"
            onChange={(event) => change({ subject: event.currentTarget.value })}
          />
        </label>
      )}
      <textarea
        ref={text}
        className={styles.body}
        value={values.body}
        rows={8}
        maxLength={500_000}
        aria-label={composition.kind === 'forward' ? compose.note : compose.body}
        placeholder={composition.kind === 'forward' ? compose.note : compose.body}
        dir="auto"
        data-autofocus={values.to.length > 0 || undefined}
        onChange={(event) => change({ body: event.currentTarget.value })}
      />
      <Files values={values} change={change} uploadingNames={mail.uploads.uploadingNames} />
      {composition.kind === 'forward' && (
        <label className={styles.choice}>
          <input
            type="checkbox"
            checked={values.leavesOutFiles === true}
            onChange={(event) => change({ leavesOutFiles: event.currentTarget.checked })}
          />
          {compose.leaveOutFiles}
        </label>
      )}
      <ComposerFooter mail={mail} kind={composition.kind} close={close} insert={insert} />
    </form>
  )
}

/** Handlers for keys and for pasted or dropped files. */
function handlersOf(
  mail: ReturnType<typeof useMailForm>,
  kind: Composition['kind'],
  close: () => void,
) {
  const attachFiles = (event: ClipboardEvent | DragEvent, files: FileList) => {
    if (files.length === 0 || kind === 'forward') return
    event.preventDefault()
    mail.uploads.upload([...files])
  }
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.nativeEvent.isComposing) return
      const isEnter = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
      if (isEnter && event.shiftKey && kind !== 'forward') mail.askWhen(event.currentTarget)
      else if (isEnter) void mail.send()
      else if (event.key === 'Escape') close()
      else return
      event.preventDefault()
      event.stopPropagation()
    },
    onPaste: (event: ClipboardEvent) => attachFiles(event, event.clipboardData.files),
    onDrop: (event: DragEvent) => attachFiles(event, event.dataTransfer.files),
  }
}

interface FootProps {
  mail: ReturnType<typeof useMailForm>
  kind: Composition['kind']
  close: () => void
  insert: (template: TemplateText) => void
}

function ComposerFooter({ mail, kind, close, insert }: FootProps) {
  return (
    <footer className={styles.foot}>
      <button type="submit" className={styles.send} disabled={mail.isSending}>
        {compose.send} <KeyCombo command="text.send" />
      </button>
      {kind !== 'forward' && <LaterButton {...mail} />}
      {kind !== 'forward' && <AttachButton attach={mail.uploads.upload} />}
      {kind !== 'forward' && <TemplateMenu insert={insert} />}
      <button
        type="button"
        className={styles.tool}
        aria-label={compose.discard}
        title={compose.discard}
        onClick={() => void mail.discard()}
      >
        <IconTrash size={16} aria-hidden />
      </button>
      <p className={styles.state} role="status">
        {mail.problem === undefined ? (
          <StorageStatus storage={mail.saving} />
        ) : (
          <em>{mail.problem}</em>
        )}
      </p>
      <button
        type="button"
        className={styles.tool}
        aria-label={compose.close}
        title={compose.close}
        onClick={close}
      >
        <IconX size={16} aria-hidden />
      </button>
    </footer>
  )
}

function useMailForm({ composition, close, reopen, saved }: ComposerProps) {
  const [storedText, storeText] = useDraft(`mail ${composition.name}`, '')
  const [values, setValues] = useState<MailValues>(() =>
    storedText === '' ? composition.start : (JSON.parse(storedText) as MailValues),
  )
  const [problem, setProblem] = useState<string>()
  const [isSending, setSending] = useState(false)
  const [whenAt, askWhen] = useState<Element>()
  const name = `mail ${composition.name}`
  const { saving, flush, draftId } = useDraftStorage(composition, values, (id, savedValues) => {
    // The server has it: the copy in this browser would only hide changes made elsewhere.
    if (readDraft(name) === JSON.stringify(savedValues)) deleteDraft(name)
    saved(id, savedValues)
  })
  const change = (patch: Partial<MailValues>) => {
    const next = { ...values, ...patch }
    setValues(next)
    setProblem(undefined)
    storeText(JSON.stringify(next))
  }
  const uploads = useUploads({ text: values.body, files: values.files }, ({ files }) =>
    change({ files: [...files] }),
  )
  const send = async (sendAt?: Date) => {
    const blockingProblem =
      uploads.uploadingNames.length > 0
        ? compose.problems.uploading
        : problemOf(composition, values)
    const doubt = doubtOf(values)
    setProblem(blockingProblem ?? doubt)
    if (blockingProblem !== undefined || isSending) return
    if (doubt !== undefined && doubt !== problem) return // a doubt is shown once; sending again ignores it
    setSending(true)
    try {
      if (composition.kind === 'forward') forwardLater({ ...composition, start: values }, reopen)
      else
        await sendOut(
          await flush(),
          { subject: values.subject || t.mailbox.noSubject, at: sendAt },
          reopen,
        )
      deleteDraft(`mail ${composition.name}`)
      close()
    } catch (error) {
      setProblem(errorMessage(error))
      setSending(false)
    }
  }
  const discard = async () => {
    deleteDraft(`mail ${composition.name}`)
    close()
    const id = draftId()
    if (id === undefined) return
    try {
      await call('delete_email_draft', { draft_id: id })
    } catch (error) {
      notify({ text: compose.discard, problem: errorMessage(error), seconds: 0, actions: [] })
    }
  }
  return { values, change, problem, isSending, saving, uploads, send, discard, whenAt, askWhen }
}

function StorageStatus({ storage }: { storage: StorageState }) {
  return storage.state === 'refused' ? <em>{storage.problem}</em> : compose.states[storage.state]
}
