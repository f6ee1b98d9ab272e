import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { contentPath } from '../../../api/contents.ts'
import { t } from '../../../texts/index.ts'
import { QueryContent } from '../../../ui/states.tsx'
import { DimmedText } from '../Facts.tsx'

export type Media = 'audio' | 'video'

/** The type of a media file, if any; the browser decides whether it can play it. */
export function mediaOf(mime: string): Media | undefined {
  return (['audio', 'video'] as const).find((kind) => mime.startsWith(`${kind}/`))
}

interface FileMediaProps {
  id: string
  version: string | undefined
  media: Media
  name: string
}

/** Streams a recording, with seeking. */
export function FileMedia({ id, version, media, name }: FileMediaProps) {
  const contentQuery = useQuery({
    queryKey: ['media', id, version],
    queryFn: ({ signal }) => contentPath(id, version, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [isRefused, setRefused] = useState(false)
  const playback = useRef<{ at: number; isPlaying: boolean }>(undefined)
  if (isRefused) return <DimmedText>{t.items.file.notPlayed}</DimmedText>
  const Player = media
  return (
    <QueryContent query={contentQuery}>
      {(path) => (
        <Player
          controls
          preload="metadata"
          src={path}
          aria-label={name}
          onError={({ currentTarget: player }) => {
            // The address is valid for ten minutes; seeking later needs a new one.
            if (player.currentTime === 0) return setRefused(true)
            playback.current = { at: player.currentTime, isPlaying: !player.paused }
            void contentQuery.refetch()
          }}
          onLoadedMetadata={({ currentTarget: player }) => {
            if (!playback.current) return
            player.currentTime = playback.current.at
            if (playback.current.isPlaying) player.play().catch(() => setRefused(true))
            playback.current = undefined
          }}
        />
      )}
    </QueryContent>
  )
}
