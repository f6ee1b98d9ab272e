import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../api/client.ts'
import { t } from '../texts/index.ts'

/** What browsers draw and never run. */
const drawn = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

export const isDrawn = (mime: string) => drawn.includes(mime)

/** A picture of the drive, fetched in the name of who looks. */
export function FileImage({
  id,
  version,
  alt,
}: {
  id: string
  version?: string | undefined
  alt: string
}) {
  const { data, error } = useQuery({
    queryKey: ['picture', id, version],
    queryFn: ({ signal }) => fetchPicture(id, version, signal),
    staleTime: Infinity,
  })
  const url = useObjectUrl(data)
  if (error)
    return (
      <Text span c="dimmed">
        {t.items.image(alt)}
      </Text>
    )
  return url === undefined ? null : <img src={url} alt={alt} className="picture" />
}

async function fetchPicture(
  id: string,
  version: string | undefined,
  signal: AbortSignal,
): Promise<Blob> {
  const { download_url } = await call(
    'get_file_content',
    { file_id: id, format: 'link', ...(version === undefined ? {} : { version_id: version }) },
    signal,
  )
  // The workspace may be known by another name than the one that this page was opened under.
  const answer = await fetch(new URL(download_url!).pathname, { signal })
  const blob = await answer.blob()
  if (!answer.ok || !isDrawn(blob.type)) throw new Error(t.items.noPicture)
  return blob
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}
