import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useCommands } from '../../keys/commands.ts'
import { tooltipOf } from '../../keys/tooltip.ts'
import { useSignedIn } from '../../session/session.ts'
import { driveTexts } from '../../texts/en/company/drive.ts'
import { confirm } from '../../ui/confirm.tsx'
import planning from '../planning/planning.module.css'
import styles from './drive.module.css'
import { giveUp, pauseUpload, resumeUpload, type Upload } from './uploads.ts'

const { uploads: words } = driveTexts
const isRunning = ({ state }: Upload) => state === 'sending' || state === 'offline'
const canGoOn = ({ state }: Upload) => state === 'paused' || state === 'failed'

interface UploadListProps {
  uploads: readonly Upload[]
  /** Opens the file chooser. */
  choose: () => void
}

/** Uploads in progress, which can be paused, continued and cancelled. */
export function UploadList({ uploads, choose }: UploadListProps) {
  const personId = useSignedIn().person.id
  const running = uploads.filter(isRunning)
  const resting = uploads.filter(canGoOn)
  const pause = () =>
    running.length > 0 ? running.forEach(pauseUpload) : resting.forEach(resumeUpload)
  const giveUpAll = async () => {
    const { title, text, action } = words.giveUpAll
    if (!(await confirm({ title, text: text(uploads.length), action }))) return
    await Promise.all(uploads.map((upload) => giveUp(personId, upload)))
  }
  useCommands({
    ...(running.length + resting.length > 0 && { 'file.pauseUploads': pause }),
    ...(uploads.length > 0 && { 'file.endUploads': () => void giveUpAll() }),
  })
  if (uploads.length === 0) return null
  return (
    <ul className={styles.uploads} aria-label={words.title}>
      {uploads.map((upload) => (
        <li key={upload.id} data-state={upload.state}>
          <span className={styles.uploadName} dir="auto">
            {upload.name}
          </span>
          <Standing upload={upload} />
          <span className={styles.uploadActions}>
            <Continue upload={upload} choose={choose} />
            <button
              type="button"
              className={planning.button}
              data-plain
              aria-label={words.giveUp(upload.name)}
              title={words.giveUp(upload.name)}
              onClick={() => void giveUp(personId, upload)}
            >
              <IconX size={14} aria-hidden />
            </button>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Standing({ upload: { name, part, state, problem } }: { upload: Upload }) {
  return (
    <>
      <progress value={part} aria-label={words.uploading(name)} />
      <span className={styles.hint}>{words.percent(Math.floor(part * 100))}</span>
      {state === 'failed' ? (
        <span className={styles.problem} role="alert">
          {problem}
        </span>
      ) : (
        state !== 'sending' && (
          <span className={styles.hint} role="status">
            {words.states[state]}
          </span>
        )
      )}
    </>
  )
}

function Continue({ upload, choose }: { upload: Upload; choose: () => void }) {
  if (upload.state === 'left')
    return (
      <button type="button" className={planning.button} onClick={choose}>
        {words.choose}
      </button>
    )
  if (upload.state === 'failed')
    return (
      <button type="button" className={planning.button} onClick={() => resumeUpload(upload)}>
        {words.again}
      </button>
    )
  const isPaused = upload.state === 'paused'
  const label = isPaused ? words.resume(upload.name) : words.pause(upload.name)
  return (
    <button
      type="button"
      className={planning.button}
      data-plain
      aria-label={label}
      title={tooltipOf('file.pauseUploads', label)}
      onClick={() => (isPaused ? resumeUpload : pauseUpload)(upload)}
    >
      {isPaused ? (
        <IconPlayerPlay size={14} aria-hidden />
      ) : (
        <IconPlayerPause size={14} aria-hidden />
      )}
    </button>
  )
}
