import { Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { contentPath } from '../api/contents.ts'
import { t } from '../texts/index.ts'
import { workspacePath } from './AppLink.tsx'

/** Image types that browsers display without running anything. */
const displayableTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

export const isDisplayable = (mimeType: string) => displayableTypes.includes(mimeType)

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
export const driveFileIdOf = (address: string): string | undefined =>
  /^\/files\/(fil_[0-9a-z]+)$/.exec(workspacePath(address) ?? '')?.[1]

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
  const response = await fetch(await contentPath(id, version, signal), { signal })
  const blob = await response.blob()
  if (!response.ok || !isDisplayable(blob.type)) throw new Error(t.items.noPicture)
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
