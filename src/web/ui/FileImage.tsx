import { Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { contentPath } from '../api/contents.ts'
import { t } from '../texts/index.ts'
import { ownPath } from './AppLink.tsx'

/** Image types that browsers display without running anything. */
const drawn = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

export const isDrawn = (mime: string) => drawn.includes(mime)

/** A picture of the drive, loaded with the reader's access. */
export function FileImage({
  id,
  version,
  alt,
}: {
  id: string
  version?: string | undefined
  alt: string
}) {
  const { data, error } = useQuery(pictureQuery(id, version))
  const url = useObjectUrl(data)
  if (error)
    return (
      <Text span c="dimmed">
        {t.items.image(alt)}
      </Text>
    )
  return url === undefined ? null : <img src={url} alt={alt} className="picture" />
}

/** The drive file id in an address; undefined for other addresses. */
export const pictureAt = (address: string): string | undefined =>
  /^\/files\/(fil_[0-9a-z]+)$/.exec(ownPath(address) ?? '')?.[1]

/** Loads a picture of the drive with the reader's access. */
export const pictureQuery = (id: string, version?: string) =>
  queryOptions({
    queryKey: ['picture', id, version],
    queryFn: ({ signal }) => fetchPicture(id, version, signal),
    staleTime: Infinity,
  })

async function fetchPicture(
  id: string,
  version: string | undefined,
  signal: AbortSignal,
): Promise<Blob> {
  const answer = await fetch(await contentPath(id, version, signal), { signal })
  const blob = await answer.blob()
  if (!answer.ok || !isDrawn(blob.type)) throw new Error(t.items.noPicture)
  return blob
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const objectUrl = URL.createObjectURL(blob)
    setUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [blob])
  return url
}
