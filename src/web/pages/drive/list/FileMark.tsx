import {
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconFolder,
  IconMovie,
  IconPhoto,
  IconPresentation,
  IconTable,
} from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'
import type { DriveFile } from '../data.ts'

const shapes = {
  folder: IconFolder,
  document: IconFileText,
  spreadsheet: IconTable,
  presentation: IconPresentation,
  pdf: IconFileTypePdf,
  image: IconPhoto,
  video: IconMovie,
  other: IconFile,
}

export function FileIcon({ type, size = 16 }: Pick<DriveFile, 'type'> & { size?: number }) {
  const Shape = shapes[type]
  return (
    <Shape size={size} stroke={size > 16 ? 1.2 : 1.6} role="img" aria-label={t.items.word(type)} />
  )
}
