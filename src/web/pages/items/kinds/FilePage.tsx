import { Alert, Badge, Button, Group, Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { driveTexts } from '../../../texts/en/company/drive.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { formatDate } from '../../../ui/times.tsx'
import { Links } from '../Facts.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { restoreVersion } from '../../drive/data.ts'
import { EditableFile } from '../../drive/edit/EditableFile.tsx'
import { FileActions } from '../../drive/FileActions.tsx'
import { FolderView } from '../../drive/FolderView.tsx'
import { Download, Preview } from './FilePreview.tsx'
import { Loaded } from '../Found.tsx'
import { ItemFrame } from '../Frame.tsx'
import { ItemSection } from '../Section.tsx'

type Details = Output<'get_file'>

/** A file or folder; one of its versions, if the address names one. */
export function FilePage() {
  const { of, id } = useParams({ strict: false }) as { of?: string; id: string }
  const fileQuery = useOperation('get_file', { file_id: of ?? id })
  const version = of === undefined ? undefined : id
  return (
    <Loaded query={fileQuery}>
      {(file) => (
        <ItemFrame
          type="file"
          title={file.name}
          item={file}
          id={file.id}
          status={
            <Badge variant="light" tt="none">
              {t.items.word(file.type)}
            </Badge>
          }
          actions={
            <>
              {file.type !== 'folder' && <Download id={file.id} version={version} />}
              <FileActions file={file} isTrashed={file.deleted_at !== undefined} isPage />
            </>
          }
        >
          <FileFacts file={file} />
          {file.type === 'folder' ? (
            <FolderView key={file.id} folderId={file.id} />
          ) : (
            <FileVersionContent file={file} version={version} />
          )}
        </ItemFrame>
      )}
    </Loaded>
  )
}

function FileFacts({ file }: { file: Details }) {
  const { field } = t.items
  const shares = file.shares ?? []
  return (
    <Facts
      facts={[
        [field('path'), <span dir="auto">{file.path}</span>],
        [field('description'), file.description && <span dir="auto">{file.description}</span>],
        [field('size_bytes'), file.type !== 'folder' && t.items.bytes(file.size_bytes)],
        [field('mime_type'), file.type !== 'folder' && file.mime_type],
        [field('owner'), <ItemLink item={file.owner} />],
        [field('modified_by'), <ItemLink item={file.modified_by} />],
        [field('labels'), file.labels.length > 0 && <Links items={file.labels} />],
        [
          t.items.file.shares,
          shares.length > 0 && (
            <Links
              items={shares.map(
                (share) => share.person ?? { id: share.id, title: t.items.word(share.kind) },
              )}
            />
          ),
        ],
      ]}
    />
  )
}

function FileVersionContent({ file, version }: { file: Details; version: string | undefined }) {
  const versions = useOperation('list_file_versions', { file_id: file.id, limit: 25 })
  return (
    <QueryContent query={versions}>
      {({ items }) => {
        const selectedVersion =
          version === undefined ? undefined : items.find((item) => item.id === version)
        const preview = (
          <Preview
            id={file.id}
            version={version}
            mime={selectedVersion?.mime_type ?? file.mime_type}
            size={selectedVersion?.size_bytes ?? file.size_bytes}
            name={file.name}
            isPending={file.text_status === 'pending'}
          />
        )
        return (
          <>
            {selectedVersion && !selectedVersion.is_current && (
              <Alert>
                <Group justify="space-between">
                  {t.items.file.shownVersion(selectedVersion.number)}
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() =>
                      void restoreVersion(file, selectedVersion.id, selectedVersion.number)
                    }
                  >
                    {driveTexts.restoreVersion}
                  </Button>
                </Group>
              </Alert>
            )}
            {version === undefined && file.deleted_at === undefined ? (
              <EditableFile key={file.id} file={file}>
                {preview}
              </EditableFile>
            ) : (
              preview
            )}
            {items.length > 1 && (
              <ItemSection title={t.items.file.versions}>
                <Stack gap={4}>
                  {items.map((fileVersion) => (
                    <ItemLink
                      key={fileVersion.id}
                      withIcon={false}
                      item={{
                        id: fileVersion.id,
                        url: `/files/${file.id}/versions/${fileVersion.id}`,
                        title: [
                          t.items.file.version(fileVersion.number),
                          fileVersion.author.title,
                          formatDate(fileVersion.created_at),
                          t.items.bytes(fileVersion.size_bytes),
                          fileVersion.is_current ? t.items.file.current : '',
                        ]
                          .filter((part) => part !== '')
                          .join(' · '),
                      }}
                    />
                  ))}
                </Stack>
              </ItemSection>
            )}
          </>
        )
      }}
    </QueryContent>
  )
}
