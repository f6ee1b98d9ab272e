import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { contentPath } from '../../../api/contents.ts'
import { ApiError } from '../../../api/problem.ts'
import { useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'
import { FileImage, isDisplayable } from '../../../ui/FileImage.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { OutsideBadge, PlainText } from '../../../ui/Outside.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { DimmedText } from '../Facts.tsx'
import { ItemSection } from '../Section.tsx'
import { FileMedia, mediaOf } from './FileMedia.tsx'

/** Maximum size of a picture that is shown automatically, in bytes. */
const maxImageBytes = 20_000_000

/** Saves a file: the server always sends it as a download. */
export function Download({ id, version }: { id: string; version: string | undefined }) {
  const [isBusy, setBusy] = useState(false)
  const fetchLink = async () => {
    setBusy(true)
    try {
      window.location.assign(await contentPath(id, version))
    } catch (error) {
      notifyProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={isBusy}
      onClick={() => void fetchLink()}
    >
      {t.items.file.download}
    </Button>
  )
}

interface Props {
  id: string
  version: string | undefined
  mime: string
  size: number
  name: string
  /** True while its text is being extracted. */
  isPending: boolean
}

/** Previews a file without running anything in it: a picture, a recording, or the extracted text. */
export function Preview(props: Props) {
  return (
    <ItemSection title={t.items.file.preview}>
      <PreviewContent {...props} />
    </ItemSection>
  )
}

function PreviewContent(props: Props) {
  const { id, version, mime, size, name, isPending } = props
  if (isDisplayable(mime) && size <= maxImageBytes)
    return <FileImage id={id} version={version} alt={name} />
  const media = mediaOf(mime)
  if (media) return <FileMedia id={id} version={version} media={media} name={name} />
  return isPending ? <TextPending id={id} /> : <TextPreview {...props} />
}

/** Polls until the text was extracted, then shows it. */
function TextPending({ id }: { id: string }) {
  useOperation('get_file', { file_id: id }, { refetchInterval: 2000 })
  return <DimmedText>{t.items.file.reading}</DimmedText>
}

function TextPreview({ id, version }: Props) {
  const textQuery = useOperation('get_file_content', {
    file_id: id,
    format: 'text',
    max_chars: 50_000,
    ...(version === undefined ? {} : { version_id: version }),
  })
  if (
    textQuery.error instanceof ApiError &&
    !textQuery.error.isOffline &&
    textQuery.error.status < 500
  )
    return <DimmedText>{t.items.file.noText}</DimmedText>
  return (
    <QueryContent query={textQuery}>
      {({ content, format, next_offset }) => (
        <>
          {content?.trust === 'external' && <OutsideBadge />}
          {format === 'markdown' ? (
            <Markdown text={content?.text ?? ''} parentLevel={2} />
          ) : (
            <PlainText text={content?.text ?? ''} />
          )}
          {next_offset !== undefined && <DimmedText>{t.items.file.cut}</DimmedText>}
        </>
      )}
    </QueryContent>
  )
}
