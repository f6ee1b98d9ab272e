import { Button } from '@mantine/core'
import { useState } from 'react'
import type { GetOutput } from '../../../api/client.ts'
import { useEndpoint } from '../../../api/queries.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { Shown } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { versionPath } from './VersionList.tsx'
import { useText } from './version-text.ts'
import { VersionWho, type Version } from './VersionWho.tsx'
import styles from './versions.module.css'

const words = wiki.versions
const endpoint = '/web/pages/:id/versions/:version/lines'
type Origins = GetOutput<typeof endpoint>

/** The lines of a version, with the last author and time of each. */
export function LineAuthors({ version }: { version: Version }) {
  const text = useText(version)
  const origins = useEndpoint(
    endpoint,
    { id: version.page.id, version: version.id },
    { staleTime: Infinity },
  )
  return (
    <Shown query={text}>
      {({ body_markdown: body = '' }) => (
        <Shown query={origins}>
          {(authorship) => <Stretches origins={authorship} lines={body.split('\n')} />}
        </Shown>
      )}
    </Shown>
  )
}

/** Blocks rendered at a time. */
const stretchesAtOnce = 200

function Stretches({
  origins: { stretches, versions },
  lines,
}: {
  origins: Origins
  lines: string[]
}) {
  const [count, setCount] = useState(stretchesAtOnce)
  const left = stretches.slice(count).reduce((sum, stretch) => sum + stretch.count, 0)
  const byId = new Map(versions.map((version) => [version.id, version]))
  return (
    <section aria-label={words.modes.authors} className={styles.difference}>
      <ol className={`plain-list ${styles.rows}`}>
        {stretches.slice(0, count).map(({ line, count: length, version_id: id }) => (
          <li key={line} aria-label={words.lines(line, length)} className={styles.stretch}>
            <Origin version={id === undefined ? undefined : byId.get(id)} />
            <span dir="auto" className={styles.text}>
              {lines.slice(line - 1, line - 1 + length).join('\n')}
            </span>
          </li>
        ))}
      </ol>
      {left > 0 && (
        <Button size="xs" variant="default" onClick={() => setCount(count + stretchesAtOnce)}>
          {words.moreLines(left)}
        </Button>
      )}
    </section>
  )
}

function Origin({ version }: { version: Version | undefined }) {
  if (!version) return <div className={styles.origin}>{words.older}</div>
  return (
    <div className={styles.origin}>
      <VersionWho version={version} size={16} />
      <span className={styles.quiet}>
        <AppLink to={versionPath(version.page.id, version.id)} className={styles.originLink}>
          {words.version(version.number)}
        </AppLink>{' '}
        · <Ago at={version.created_at} />
      </span>
    </div>
  )
}
