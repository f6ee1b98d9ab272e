import { useState, type FormEvent } from 'react'
import { write } from '../../../store/index.ts'
import { driveTexts } from '../../../texts/en/company/drive.ts'
import { Copyable } from '../../../ui/actions/Copyable.tsx'
import { addDays, dayOf, relativeDay } from '../../../ui/work/days.ts'
import planning from '../../planning/planning.module.css'
import { refetchFiles } from '../data.ts'
import styles from '../drive.module.css'
import type { FileShare } from './shares.ts'

const words = driveTexts.share
const defaultDays = 30
const minPasswordLength = 8

interface LinkFormProps {
  fileId: string
  shares: readonly FileShare[]
}

/** Links for reading a file without an account, until an expiry date; each is shown once. */
export function LinkForm({ fileId, shares }: LinkFormProps) {
  const [until, setUntil] = useState(() => addDays(dayOf(), defaultDays))
  const [password, setPassword] = useState('')
  const [createdUrl, setCreatedUrl] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const input = {
      file_id: fileId,
      expires_at: until,
      ...(password !== '' && { password }),
    }
    const result = await write('create_share_link', input, { text: words.created, undo: false })
    await refetchFiles()
    if (result.state !== 'done') return
    setCreatedUrl(result.value?.link_url)
    setPassword('')
  }
  return (
    <section className={styles.part} aria-label={words.links}>
      <h3>{words.links}</h3>
      <ul className={styles.people}>
        {shares.map((share) => (
          <LinkLine key={share.id} share={share} />
        ))}
      </ul>
      {createdUrl !== undefined && (
        <>
          <p className={styles.hint}>{words.once}</p>
          <Copyable text={createdUrl} label={words.created} />
        </>
      )}
      <form className={styles.add} onSubmit={(event) => void submit(event)}>
        <label>
          {words.until}
          <input
            type="date"
            value={until}
            min={dayOf()}
            onChange={(event) => setUntil(event.currentTarget.value)}
            required
          />
        </label>
        <label>
          {words.password}
          <input
            type="password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            minLength={minPasswordLength}
            maxLength={200}
            autoComplete="new-password"
          />
        </label>
        <button type="submit" className={planning.button}>
          {words.create}
        </button>
      </form>
    </section>
  )
}

function LinkLine({ share }: { share: FileShare }) {
  const revoke = async () => {
    await write('revoke_share', { share_id: share.id }, { text: words.endedLink, undo: false })
    await refetchFiles()
  }
  return (
    <li>
      <span className={styles.uploadName}>
        {words.link(
          share.expires_at === undefined ? '' : relativeDay(share.expires_at.slice(0, 10)),
        )}
        {share.has_password && <span className={styles.hint}> {words.hasPassword}</span>}
      </span>
      <button type="button" className={planning.button} onClick={() => void revoke()}>
        {words.endLink}
      </button>
    </li>
  )
}
