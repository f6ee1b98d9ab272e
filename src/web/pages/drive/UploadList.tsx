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
const canResume = ({ state }: Upload) => state === 'paused' || state === 'failed'

interface UploadListProps {
  uploads: readonly Upload[]
  /** Opens the file chooser. */
  choose: () => void
}

/** Uploads in progress, which can be paused, continued and canceled. */
export function UploadList({ uploads, choose }: UploadListProps) {
  const personId = useSignedIn().person.id
  const running = uploads.filter(isRunning)
  const resumable = uploads.filter(canResume)
  const togglePause = () =>
    running.length > 0 ? running.forEach(pauseUpload) : resumable.forEach(resumeUpload)
  const cancelAll = async () => {
    const { title, text, action } = words.giveUpAll
    if (!(await confirm({ title, text: text(uploads.length), action }))) return
    await Promise.all(uploads.map((upload) => giveUp(personId, upload)))
  }
  useCommands({
    ...(running.length + resumable.length > 0 && { 'file.pauseUploads': togglePause }),
    ...(uploads.length > 0 && { 'file.endUploads': () => void cancelAll() }),
  })
  if (uploads.length === 0) return null
  return (
    <ul className={styles.uploads} aria-label={words.title}>
      {uploads.map((upload) => (
        <li key={upload.id} data-state={upload.state}>
          <span className={styles.uploadName} dir="auto">
            {upload.name}
          </span>
          <UploadProgress upload={upload} />
          <span className={styles.uploadActions}>
            <UploadButton upload={upload} choose={choose} />
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

function UploadProgress({ upload: { name, fraction, state, problem } }: { upload: Upload }) {
  return (
    <>
      <progress value={fraction} aria-label={words.uploading(name)} />
      <span className={styles.hint}>{words.percent(Math.floor(fraction * 100))}</span>
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

function UploadButton({ upload, choose }: { upload: Upload; choose: () => void }) {
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
