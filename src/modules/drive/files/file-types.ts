/** Media type of folders. */
export const folderType = 'inode/directory'

export const fileTypes = [
  'folder',
  'document',
  'spreadsheet',
  'presentation',
  'pdf',
  'image',
  'video',
  'other',
] as const
export type FileType = (typeof fileTypes)[number]

const rules: readonly [RegExp, FileType][] = [
  [/^inode\/directory$|google-apps\.folder$/, 'folder'],
  [/^application\/pdf$/, 'pdf'],
  [/^image\/|google-apps\.(drawing|photo)$/, 'image'],
  [/^video\/|google-apps\.video$/, 'video'],
  [/spreadsheet|ms-excel|^text\/(csv|tab-separated-values)$/, 'spreadsheet'],
  [/presentation|ms-powerpoint/, 'presentation'],
  [
    /wordprocessing|msword|opendocument\.text|google-apps\.document|^application\/rtf$|^text\/(plain|markdown|html|rtf)$|^message\/rfc822$/,
    'document',
  ],
]

/** The kind of file that a media type stands for. */
export function fileTypeOf(mime: string): FileType {
  return rules.find(([pattern]) => pattern.test(mime))?.[1] ?? 'other'
}

/** Whether contents of a media type are plain text. */
export function isPlainText(mime: string): boolean {
  return (
    /^text\/(?!html|rtf)|^application\/(json|xml|yaml|x-ndjson|javascript|sql|toml)$|\+(json|xml)$/.test(
      mime,
    ) && !/^image\//.test(mime)
  )
}

/** Whether a file of a media type may contain text; others are never pending. */
export function mayHaveText(mime: string): boolean {
  return isPlainText(mime) || !['folder', 'image', 'video', 'other'].includes(fileTypeOf(mime))
}
